// Parts marked data-vivo="seconds" change while one looks: the page is read again and its parts put in place.
// Without this script, the link "atualizar" does the same.
const LONGEST_MS = 10 * 60 * 1000; // after it the page rests, so that an idle session can end
const ANSWER_MS = 15 * 1000; // a page that does not come by then is asked for again
const began = Date.now();

const waiting = () => [...document.querySelectorAll("[data-vivo][id]")];

const renew = async () => {
  const answer = await fetch(location.href, { headers: { accept: "text/html" }, credentials: "same-origin", signal: AbortSignal.timeout(ANSWER_MS) });
  if (answer.redirected) return; // the session has ended
  if (!answer.ok) return watch();
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const old of waiting()) {
    const fresh = page.getElementById(old.id);
    // never under the hands of who types or tabs
    if (fresh && !old.contains(document.activeElement) && old.outerHTML !== fresh.outerHTML) old.replaceWith(fresh);
  }
  watch();
};

const watch = () => {
  const seconds = Math.min(...waiting().map((part) => Number(part.dataset.vivo) || Infinity));
  if (seconds === Infinity || Date.now() - began > LONGEST_MS) return;
  setTimeout(() => renew().catch(watch), seconds * 1000);
};

watch();
