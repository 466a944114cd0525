<?php
// The six documents by the client that openapi-generator makes for PHP.
//
// usage: php client.php BASE_URL API_KEY FOLDER_OF_BODIES FOLDER_OF_CLIENT

use OpenAPI\Client\Api\{CteApi, NfceApi, NfeApi, NfseApi, NfseMunicipalApi};
use OpenAPI\Client\Model\{EmissaoCte, EmissaoNfce, EmissaoNfe, EmissaoNfse, EmissaoNfseMunicipal, OperacaoAceita};
use OpenAPI\Client\Configuration;

[, $base, $key, $bodies, $lib] = $argv;
require_once '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class) use ($lib): void {
    $file = $lib . '/lib/' . str_replace('\\', '/', substr($class, strlen('OpenAPI\\Client\\'))) . '.php';
    if (str_starts_with($class, 'OpenAPI\\Client\\') && is_file($file)) {
        require_once $file;
    }
});

$configuration = (new Configuration())->setHost($base)->setApiKey('X-API-Key', $key);
$http = new GuzzleHttp\Client();
[$nfe, $nfce, $cte] = [new NfeApi($http, $configuration), new NfceApi($http, $configuration), new CteApi($http, $configuration)];
[$nfse, $municipal] = [new NfseApi($http, $configuration), new NfseMunicipalApi($http, $configuration)];
$documents = [
    ['nota', EmissaoNfe::class, $nfe->emitirNfe(...), $nfe->consultarNfe(...)],
    ['nfce', EmissaoNfce::class, $nfce->emitirNfce(...), $nfce->consultarNfce(...)],
    ['cte', EmissaoCte::class, $cte->emitirCte(...), $cte->consultarCte(...)],
    ['cte-os', EmissaoCte::class, $cte->emitirCte(...), $cte->consultarCte(...)],
    ['nfse', EmissaoNfse::class, $nfse->emitirNfse(...), $nfse->consultarNfse(...)],
    ['nfse-municipal', EmissaoNfseMunicipal::class, $municipal->emitirNfseMunicipal(...), $nfse->consultarNfse(...)],
];
foreach ($documents as [$name, $type, $issue, $ask]) {
    // what has several types (NumeroOuTexto) is a plain value in PHP
    $body = new $type(json_decode(file_get_contents("$bodies/$name.json"), true));
    $accepted = $issue($body);
    if (!$accepted instanceof OperacaoAceita) {
        exit("$name: " . get_class($accepted) . "\n");
    }
    for ($until = time() + 60; in_array(($job = $ask($accepted->getJobId()))->getStatus(), ['pending', 'processing']); usleep(100_000)) {
        time() < $until || exit("$name: it never ended\n");
    }
    $job->getNota()->getStatus() === 'autorizada' || exit("$name: $job\n");
    echo $name, ' ', $job->getNota()->getNumero(), ' ', $job->getNota()->getChave(), "\n";
}
