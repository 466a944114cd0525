// Parts marked data-vivo="seconds" change while one looks: the page is read again and its part put in place.
// Without this script, the link "atualizar" does the same.
const LONGEST_MS = 10 * 60 * 1000; // after it the page rests, so that an idle session can end
const began = Date.now();

const renew = async (id) => {
  const answer = await fetch(location.href, { headers: { accept: "text/html" }, credentials: "same-origin" });
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [old, fresh] = [document.getElementById(id), page.getElementById(id)];
  if (!old || !fresh) return;
  if (old.contains(document.activeElement)) return watch(old); // never under the hands of who types or tabs
  if (old.innerHTML !== fresh.innerHTML) old.replaceWith(fresh);
  watch(document.getElementById(id));
};

const watch = (part) => {
  const seconds = Number(part?.dataset.vivo);
  if (!seconds || Date.now() - began > LONGEST_MS) return;
  setTimeout(() => renew(part.id).catch(() => {}), seconds * 1000);
};

document.querySelectorAll("[data-vivo][id]").forEach(watch);
