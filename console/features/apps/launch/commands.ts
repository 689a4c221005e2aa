/** Commands ready to paste. `publicUrl` is the server's own address. */
export function commands(publicUrl: string) {
  const api = `${publicUrl.replace(/\/$/, '')}/api/v1`;
  const deploy = 'npx phala deploy -n my-app -c docker-compose.yml -e KEY=value';
  return {
    login: `npx phala login --url ${api}`,
    deploy,
    follow: 'npx phala logs --cvm-id my-app -f',
    // Without a profile, the CLI reads both from the environment.
    pipeline: `export PHALA_CLOUD_API_PREFIX=${api}\nexport PHALA_CLOUD_API_KEY=…\n${deploy} --json`,
  };
}
