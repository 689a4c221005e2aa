import { ensureDocker } from '../../tools/docker';
import { DockerApi } from '../engine/dockerApi';
import type { Teepod } from '../server';
import { Client, startInProcess, temporaryDirectory } from './client';

/** A built-in host in this process, which runs apps in containers. */
export interface DockerHost {
  /** Address of the engine. */
  host: string;
  api: DockerApi;
  teepod: Teepod;
  client: Client;
  /** Fetches from an app's port through the gateway. */
  get(
    instanceId: string,
    port: number,
    path: string,
    init?: { body: string; headers: Record<string, string> },
  ): ReturnType<Client['text']>;
  /** Removes every VM and stops. */
  close(): Promise<void>;
}

export async function startDockerHost(): Promise<DockerHost> {
  const found = await ensureDocker();
  if ('reason' in found) throw new Error(found.reason);
  const api = new DockerApi(found.socket);
  const dir = await temporaryDirectory();
  const teepod = await startInProcess(dir.path, { TEEPOD_ENGINE: 'docker' });
  const client = new Client(teepod.listen);
  const gateway = new Client(`http://127.0.0.1:${teepod.gateway_port}`);
  return {
    host: api.host,
    api,
    teepod,
    client,
    get: (instanceId, port, path, init) =>
      gateway.text(path, {
        ...(init ? { method: 'POST', body: init.body } : {}),
        headers: {
          ...init?.headers,
          host: `${instanceId}-${port}.cvm.localhost:${teepod.gateway_port}`,
        },
      }),
    close: async () => {
      for (const vm of teepod.manager.list()) await client.rpc('RemoveVm', { id: vm.id });
      for (const vm of teepod.manager.list()) await client.gone(vm.id);
      await teepod.close();
      await dir.remove();
    },
  };
}
