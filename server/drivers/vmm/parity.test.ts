import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Client, startInProcess, temporaryDirectory } from '../../teepod/testing/client';
import { failureOfReply } from './failures';
import { startFakeVmm } from './fake';
import * as schemas from './schemas';
import { replay, type Exceptions } from './testParity';
import { methodOf, readExchanges } from './testRecordings';

const RECORDINGS = [
  ['0.6.0', 'vmm-0.6.0-312dc605.json'],
  ['0.5.11', 'vmm-0.5.11-40eaf35e.json'],
] as const;
const IMAGES = ['dstack-0.6.0', 'dstack-nvidia-0.6.0', 'dstack-dev-0.5.5'];
const TOKEN = 'sesame';
/** App ID of the VM that the recordings boot. */
const APP_ID = 'aabb33445566778899aabbccddeeff0011223344';

const started: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of started.splice(0).reverse()) await close();
});

const TOO_SHORT = 'passes too fast to observe; the states around it are compared';
const NO_CERTIFICATE = 'no certificate: one that is not bound to a quote would only look like attestation';

describe('the built-in host', () => {
  const except: Exceptions = {
    exchanges: {
      'create-zero-size': 'containers need at least one CPU and some memory',
      'remove-zero-size': 'not created',
      'update-zero-vcpu': 'containers need at least one CPU',
      'create-gpu-unknown-slot': 'it has no GPUs and refuses them',
      'remove-gpu-unknown-slot': 'not created',
      'create-bad-app-id': 'its KMS derives keys from 20 bytes',
      'remove-bad-app-id': 'not created',
      'info-booting': TOO_SHORT,
      'info-right-after-remove': TOO_SHORT,
    },
    fields: {
      'reply.app_cert': NO_CERTIFICATE,
      'reply.measured': 'says what its figures measure',
      'reply.cpu_time_us': 'containers have no load average',
      'reply.wg_info': 'it has no WireGuard',
      'reply.containers[].image_id': 'simulated containers have no image',
    },
  };

  it('answers the recorded requests like dstack-vmm 0.6.0', async () => {
    const dir = await temporaryDirectory();
    started.push(() => dir.remove());
    const teepod = await startInProcess(dir.path, {
      TEEPOD_ENGINE: 'simulate',
      TEEPOD_TOKEN: TOKEN,
      TEEPOD_IMAGES: IMAGES.join(),
    });
    started.push(() => teepod.close());
    const client = new Client(teepod.listen, { authorization: `Bearer ${TOKEN}` });
    const encrypted_env = await client.seal(APP_ID, [{ key: 'A', value: 'b' }]);
    // It has no port mappings, and opens the environment, which isn't sealed at all in the recording.
    const adapt = ({ ports, ...body }: Record<string, unknown>, exchange: string) => {
      const isMapped = exchange === 'create-stopped' || exchange === 'update-ports';
      const isSealed = typeof body.encrypted_env === 'string' && /^a{40}/.test(body.encrypted_env);
      return {
        ...body,
        ...(isMapped || ports === undefined ? {} : { ports }),
        ...(isSealed ? { encrypted_env } : {}),
      };
    };
    const host = { url: teepod.listen, token: TOKEN, adapt };
    expect(await replay(host, readExchanges(RECORDINGS[0][1]), except)).toEqual({});
  });
});

describe('the test double', () => {
  const except: Exceptions = {
    exchanges: {
      'create-gpu-unknown-slot': 'stricter: an unknown slot is our mistake and fails the test',
      'remove-gpu-unknown-slot': 'not created',
      'info-booting': TOO_SHORT,
      'info-right-after-remove': TOO_SHORT,
    },
    fields: {
      'reply.app_cert': NO_CERTIFICATE,
      'reply.kms.url': 'its KMS is registered by the tests themselves',
    },
  };

  it.each(RECORDINGS)('answers the recorded requests like dstack-vmm %s', async (version, file) => {
    const vmm = await startFakeVmm({ version, token: TOKEN, images: IMAGES });
    started.push(() => vmm.close());
    expect(await replay({ url: vmm.url, token: TOKEN }, readExchanges(file), except)).toEqual({});
  });
});

describe.each(RECORDINGS)('what a real dstack-vmm %s replies', (_, file) => {
  const parsers: Record<string, z.ZodType> = {
    Version: schemas.versionReply,
    Status: schemas.statusReply,
    GetInfo: schemas.infoReply,
    ListImages: schemas.imageList,
    ListRegistryImages: schemas.registryImageList,
    ListGpus: schemas.gpuList,
    GetMeta: schemas.metaReply,
    GetComposeHash: schemas.composeHashReply,
    GetAppEnvEncryptPubKey: schemas.envPubKey,
    CreateVm: schemas.createdId,
    ReloadVms: schemas.reloadReply,
    SvList: schemas.processList,
    Info: schemas.guestInfo,
    SysInfo: schemas.guestSysInfo,
    NetworkInfo: schemas.guestNetworkInfo,
    ListContainers: schemas.guestContainers,
  };
  const UNREAD = z.union([z.null(), z.object({ id: z.string() })]);
  const exchanges = readExchanges(file).filter((exchange) => methodOf(exchange) !== '');

  it.each(exchanges.filter(({ response }) => response.status === 200).map((one) => [one.name, one] as const))(
    '%s parses',
    (_name, exchange) => {
      const parser = parsers[methodOf(exchange)] ?? UNREAD;
      expect(parser.safeParse(JSON.parse(exchange.response.body)).error).toBeUndefined();
    },
  );

  const UNKNOWN_VM = /^(?:unknown-vm|bad-id|update-unknown-vm|guest-unknown-vm|remove-again)/;
  const kindOf = (name: string, status: number) => {
    if (status === 401) return 'unauthorized';
    if (name === 'service-vmm-prefix' || name === 'unknown-method') return 'unsupported';
    return UNKNOWN_VM.test(name) ? 'not_found' : 'rejected';
  };
  it.each(exchanges.filter(({ response }) => response.status !== 200).map((one) => [one.name, one] as const))(
    '%s is classified',
    (name, { response: { status, body } }) => {
      // 0.5.11 doesn't check the ID and looks for the folder.
      const outside = name === 'update-bad-id' && body.includes('No such file');
      expect(failureOfReply(status, body, []).kind).toBe(outside ? 'not_found' : kindOf(name, status));
    },
  );
});
