// The six documents by the client that openapi-generator makes for Go.
//
// usage: client BASE_URL API_KEY FOLDER_OF_BODIES
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	carimbo "openapi"
)

// body reads a document into the type of its request.
func body[T any](name string) T {
	var made T
	text, err := os.ReadFile(filepath.Join(os.Args[3], name+".json"))
	must(name, err)
	must(name, json.Unmarshal(text, &made))
	return made
}

func must(what string, err error) {
	if err == nil {
		return
	}
	if refused, ok := err.(*carimbo.GenericOpenAPIError); ok {
		fmt.Println(string(refused.Body()))
	}
	fmt.Println(what, err)
	os.Exit(1)
}

// jobOf takes the job's number of either answer.
func jobOf(name string, answer *carimbo.JobOuOperacaoAceita, err error) string {
	must(name, err)
	if answer.OperacaoAceita == nil {
		must(name, fmt.Errorf("a job that was there before: %v", answer))
	}
	return answer.OperacaoAceita.JobId
}

func main() {
	configuration := carimbo.NewConfiguration()
	configuration.Servers = carimbo.ServerConfigurations{{URL: os.Args[1]}}
	client := carimbo.NewAPIClient(configuration)
	keys := map[string]carimbo.APIKey{"ApiKey": {Key: os.Args[2]}}
	ctx := context.WithValue(context.Background(), carimbo.ContextAPIKeys, keys)
	askNfse := func(id string) (*carimbo.Job, error) { job, _, err := client.NfseAPI.ConsultarNfse(ctx, id).Execute(); return job, err }
	askCte := func(id string) (*carimbo.Job, error) { job, _, err := client.CteAPI.ConsultarCte(ctx, id).Execute(); return job, err }

	nota, _, err := client.NfeAPI.EmitirNfe(ctx).EmissaoNfe(body[carimbo.EmissaoNfe]("nota")).Execute()
	await("nota", jobOf("nota", nota, err), func(id string) (*carimbo.Job, error) { job, _, err := client.NfeAPI.ConsultarNfe(ctx, id).Execute(); return job, err })
	nfce, _, err := client.NfceAPI.EmitirNfce(ctx).EmissaoNfce(body[carimbo.EmissaoNfce]("nfce")).Execute()
	await("nfce", jobOf("nfce", nfce, err), func(id string) (*carimbo.Job, error) { job, _, err := client.NfceAPI.ConsultarNfce(ctx, id).Execute(); return job, err })
	for _, name := range []string{"cte", "cte-os"} {
		cte, _, err := client.CteAPI.EmitirCte(ctx).EmissaoCte(body[carimbo.EmissaoCte](name)).Execute()
		await(name, jobOf(name, cte, err), askCte)
	}
	nfse, _, err := client.NfseAPI.EmitirNfse(ctx).EmissaoNfse(body[carimbo.EmissaoNfse]("nfse")).Execute()
	await("nfse", jobOf("nfse", nfse, err), askNfse)
	municipal := body[carimbo.EmissaoNfseMunicipal]("nfse-municipal")
	rps, _, err := client.NfseMunicipalAPI.EmitirNfseMunicipal(ctx).EmissaoNfseMunicipal(municipal).Execute()
	await("nfse-municipal", jobOf("nfse-municipal", rps, err), askNfse)
}

// await asks until the job ends, which must be an authorisation.
func await(name string, id string, ask func(string) (*carimbo.Job, error)) {
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(100 * time.Millisecond) {
		job, err := ask(id)
		must(name, err)
		if status := job.GetStatus(); status == "pending" || status == "processing" {
			continue
		}
		nota := job.GetNota()
		if nota.GetStatus() != "autorizada" {
			must(name, fmt.Errorf("%s: %s", nota.GetStatus(), nota.GetMotivoStatus()))
		}
		fmt.Println(name, nota.GetNumero(), nota.GetChave())
		return
	}
	must(name, fmt.Errorf("it never ended"))
}
