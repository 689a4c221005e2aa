import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

export interface LocalRegistry {
  /** Registry address: `localhost` with the port. */
  host: string;
  /** Image reference, with its digest. */
  reference: string;
  /** Call it once no container uses the image by this reference. */
  close(): Promise<void>;
}

interface Blob {
  digest: string;
  size: number;
  file: string;
}

/**
 * Serves one image of the engine by its digest: locally built images have none, and Compose files identify an
 * engine by its digest. Docker accepts registries on localhost without TLS.
 *
 * Source: https://github.com/opencontainers/distribution-spec/blob/main/spec.md
 */
export async function serveImage(docker: string, image: string, name: string): Promise<LocalRegistry> {
  const work = await mkdtemp(path.join(tmpdir(), 'teehouse-registry-'));
  await run('sh', ['-c', 'docker -H "$1" save "$2" | tar -x -C "$3"', 'sh', docker, image, work], {
    timeout: 300_000,
  });
  const [saved] = JSON.parse(await readFile(path.join(work, 'manifest.json'), 'utf8')) as {
    Config: string;
    Layers: string[];
  }[];
  if (!saved) throw new Error(`docker save wrote no ${image}`);
  const config = await blobOf(path.join(work, saved.Config));
  const layers = await Promise.all(saved.Layers.map((layer) => blobOf(path.join(work, layer))));
  const described = ({ digest, size }: Blob, kind: string) => ({
    mediaType: `application/vnd.oci.image.${kind}`,
    digest,
    size,
  });
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: described(config, 'config.v1+json'),
    layers: layers.map((layer) => described(layer, 'layer.v1.tar')),
  });
  const digest = digestOf(createHash('sha256').update(manifest));
  const blobs = new Map([config, ...layers].map((blob) => [`/v2/${name}/blobs/${blob.digest}`, blob]));

  const server = createServer((req, res) => {
    const { url = '/' } = req;
    if (url === '/v2/') return void res.end('{}');
    if (url === `/v2/${name}/manifests/${digest}`) {
      res.setHeader('content-type', MANIFEST).setHeader('content-length', Buffer.byteLength(manifest));
      return void res.setHeader('docker-content-digest', digest).end(manifest);
    }
    const blob = blobs.get(url);
    if (!blob) return void res.writeHead(404).end('{"errors":[{"code":"NOT_FOUND"}]}');
    res.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': blob.size });
    if (req.method === 'HEAD') return void res.end();
    createReadStream(blob.file)
      .on('error', (error) => res.destroy(error))
      .pipe(res);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `localhost:${(server.address() as AddressInfo).port}`;
  const reference = `${host}/${name}@${digest}`;
  return {
    host,
    reference,
    close: async () => {
      // The engine keeps the image under its original name.
      await run('docker', ['-H', docker, 'rmi', reference]).catch(() => undefined);
      server.closeAllConnections();
      server.close();
      await rm(work, { recursive: true, force: true });
    },
  };
}

async function blobOf(file: string): Promise<Blob> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) hash.update(part);
  return { file, digest: digestOf(hash), size: (await stat(file)).size };
}

const digestOf = (hash: ReturnType<typeof createHash>) => `sha256:${hash.digest('hex')}`;
