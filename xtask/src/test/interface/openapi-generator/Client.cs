using System;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Org.OpenAPITools.Api;
using Org.OpenAPITools.Client;
using Org.OpenAPITools.Model;

/// <summary>The six documents by the client that openapi-generator makes for C#. Arguments: address, key, folder of bodies.</summary>
static class Program
{
    static string folder;

    static void Issue<T>(string name, Func<T, JobOuOperacaoAceita> issue, Func<Guid, Job> ask)
    {
        string text = File.ReadAllText(Path.Combine(folder, name + ".json"));
        T body = typeof(T) == typeof(EmissaoNfseMunicipal) ? (T)(object)Municipal(JObject.Parse(text)) : JsonConvert.DeserializeObject<T>(text);
        object answer = issue(body).ActualInstance;
        Guid id = answer is Job first ? first.JobId : ((OperacaoAceita)answer).JobId;
        for (DateTime until = DateTime.Now.AddMinutes(1); ; Thread.Sleep(100))
        {
            Job job = ask(id);
            string status = job.Status.ToString().ToLower();
            if (status == "pending" || status == "processing")
            {
                if (DateTime.Now > until) throw new Exception("it never ended: " + job);
                continue;
            }
            if (job.Nota.Status.ToString().ToLower() != "autorizada") throw new Exception(job.ToString());
            Console.WriteLine(name + " " + job.Nota.Numero + " " + job.Nota.Chave);
            return;
        }
    }

    /// <summary>Which of its forms a nota has is said by its type.</summary>
    static EmissaoNfseMunicipal Municipal(JObject body)
    {
        var nota = body["nota"].ToObject<NfseMunicipalNota>();
        return new EmissaoNfseMunicipal(cpfCnpj: (string)body["cpf_cnpj"], nota: new EmissaoNfseMunicipalNota(nota), referenciaExterna: (string)body["referencia_externa"]);
    }

    static void Main(string[] arguments)
    {
        folder = arguments[2];
        var configuration = new Configuration { BasePath = arguments[0], ApiKey = new Dictionary<string, string> { { "X-API-Key", arguments[1] } } };
        var nfe = new NfeApi(configuration);
        var nfce = new NfceApi(configuration);
        var cte = new CteApi(configuration);
        var nfse = new NfseApi(configuration);
        var municipal = new NfseMunicipalApi(configuration);
        Issue<EmissaoNfe>("nota", body => nfe.EmitirNfe(body), id => nfe.ConsultarNfe(id));
        Issue<EmissaoNfce>("nfce", body => nfce.EmitirNfce(body), id => nfce.ConsultarNfce(id));
        Issue<EmissaoCte>("cte", body => cte.EmitirCte(body), id => cte.ConsultarCte(id));
        Issue<EmissaoCte>("cte-os", body => cte.EmitirCte(body), id => cte.ConsultarCte(id));
        Issue<EmissaoNfse>("nfse", body => nfse.EmitirNfse(body), id => nfse.ConsultarNfse(id));
        Issue<EmissaoNfseMunicipal>("nfse-municipal", body => municipal.EmitirNfseMunicipal(body), id => nfse.ConsultarNfse(id));
    }
}
