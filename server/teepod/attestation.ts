/**
 * Computes the event log that a guest with this configuration would have, from simulated values and marked as such.
 * Measurements are zero, so no verifier can mistake it for hardware.
 */
import { createHash } from 'node:crypto';
import { composeHash, readAppCompose } from './appCompose';
import type { BootRecord } from './store';

/** Runtime events of dstack, all in RTMR3. */
const EVENT_TYPE = 0x0800_0001;
const ZERO = '00'.repeat(48);

export interface LogEvent {
  imr: number;
  event_type: number;
  digest: string;
  event: string;
  event_payload: string;
}

/** SHA384( LE32(type) ‖ ":" ‖ name ‖ ":" ‖ payload ) */
export function eventDigest(name: string, payload: Buffer): string {
  const type = Buffer.alloc(4);
  type.writeUInt32LE(EVENT_TYPE);
  const content = Buffer.concat([type, Buffer.from(':'), Buffer.from(name), Buffer.from(':'), payload]);
  return createHash('sha384').update(content).digest('hex');
}

export function replay(events: readonly LogEvent[]): string {
  return events.reduce(
    (register, event) =>
      createHash('sha384')
        .update(Buffer.from(register, 'hex'))
        .update(Buffer.from(event.digest, 'hex'))
        .digest('hex'),
    ZERO,
  );
}

/** Stands in for the image a real host would measure. */
export function imageHash(image: string): string {
  return createHash('sha256').update(`teehouse local teepod, simulated image ${image}`).digest('hex');
}

export function simulatedTcbInfo(
  boot: BootRecord,
  appId: string,
  instanceId: string,
  kmsKeyId: string,
  deviceId: string,
): Record<string, unknown> {
  const app = readAppCompose(boot.compose_file);
  const hash = composeHash(boot.compose_file);
  const provider = JSON.stringify({ name: app.key_provider, id: app.key_provider === 'kms' ? kmsKeyId : '' });
  const entries: [string, Buffer][] = [
    ['system-preparing', Buffer.alloc(0)],
    ['app-id', Buffer.from(appId, 'hex')],
    ['compose-hash', Buffer.from(hash, 'hex')],
    ['instance-id', Buffer.from(instanceId, 'hex')],
    ['boot-mr-done', Buffer.alloc(0)],
    ['os-image-hash', Buffer.from(imageHash(boot.image), 'hex')],
    ['key-provider', Buffer.from(provider)],
    ['storage-fs', Buffer.from(app.storage_fs)],
    ['system-ready', Buffer.alloc(0)],
  ];
  const eventLog: LogEvent[] = entries.map(([event, payload]) => ({
    imr: 3,
    event_type: EVENT_TYPE,
    digest: eventDigest(event, payload),
    event,
    event_payload: payload.toString('hex'),
  }));
  return {
    simulated: true,
    mrtd: ZERO,
    rtmr0: ZERO,
    rtmr1: ZERO,
    rtmr2: ZERO,
    rtmr3: replay(eventLog),
    mr_aggregated: '00'.repeat(32),
    os_image_hash: imageHash(boot.image),
    compose_hash: hash,
    device_id: deviceId,
    app_compose: boot.compose_file,
    event_log: eventLog,
  };
}
