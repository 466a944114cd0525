import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.CteApi;
import org.openapitools.client.api.NfceApi;
import org.openapitools.client.api.NfeApi;
import org.openapitools.client.api.NfseApi;
import org.openapitools.client.api.NfseMunicipalApi;
import org.openapitools.client.model.*;

/** The six documents by the client that openapi-generator makes for Java. Arguments: address, key, folder of bodies. */
public class Client {
    interface Issue<T> { JobOuOperacaoAceita of(T body) throws ApiException; }
    interface Ask { Job of(UUID id) throws ApiException; }

    static ApiClient client;
    static Path folder;
    /** Reads "000001" as the text that it is. */
    static ObjectMapper exact;

    static <T> void issue(String name, Class<T> type, Issue<T> issue, Ask ask) throws Exception {
        T body = exact.readValue(Files.readString(folder.resolve(name + ".json")), type);
        // Jackson takes a part for the whole: either answer names the job
        Object answer = issue.of(body).getActualInstance();
        UUID id = answer instanceof Job job ? job.getJobId() : ((OperacaoAceita) answer).getJobId();
        for (long until = System.currentTimeMillis() + 60_000; ; Thread.sleep(100)) {
            Job job = ask.of(id);
            String status = job.getStatus().getValue();
            if (status.equals("pending") || status.equals("processing")) {
                if (System.currentTimeMillis() > until) throw new IllegalStateException("it never ended: " + job);
                continue;
            }
            if (!"autorizada".equals(String.valueOf(job.getNota().getStatus().getValue()))) throw new IllegalStateException(job.toString());
            System.out.println(name + " " + job.getNota().getNumero() + " " + job.getNota().getChave());
            return;
        }
    }

    public static void main(String[] arguments) throws Exception {
        client = new ApiClient();
        client.updateBaseUri(arguments[0]);
        client.setRequestInterceptor(request -> request.header("X-API-Key", arguments[1]));
        exact = client.getObjectMapper().copy().configure(MapperFeature.ALLOW_COERCION_OF_SCALARS, false);
        folder = Path.of(arguments[2]);
        NfeApi nfe = new NfeApi(client);
        NfceApi nfce = new NfceApi(client);
        CteApi cte = new CteApi(client);
        NfseApi nfse = new NfseApi(client);
        NfseMunicipalApi municipal = new NfseMunicipalApi(client);
        issue("nota", EmissaoNfe.class, body -> nfe.emitirNfe(body, null, null, null), id -> nfe.consultarNfe(id, null));
        issue("nfce", EmissaoNfce.class, body -> nfce.emitirNfce(body, null, null, null), id -> nfce.consultarNfce(id, null));
        issue("cte", EmissaoCte.class, body -> cte.emitirCte(body, null, null, null), id -> cte.consultarCte(id, null));
        issue("cte-os", EmissaoCte.class, body -> cte.emitirCte(body, null, null, null), id -> cte.consultarCte(id, null));
        issue("nfse", EmissaoNfse.class, body -> nfse.emitirNfse(body, null, null, null), id -> nfse.consultarNfse(id, null));
        issue("nfse-municipal", EmissaoNfseMunicipal.class, body -> municipal.emitirNfseMunicipal(body, null, null, null), id -> nfse.consultarNfse(id, null));
    }
}
