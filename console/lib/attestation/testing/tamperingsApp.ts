import { bytesToHex, utf8 } from '../../bytes';
import type { CheckId, EventLogEntry } from '../types';
import { changed, replaced, signed, type Tampering } from './attacks';
import { runtimeEvent, withDigest } from './mockEvidence';

type Events = EventLogEntry[];
const logged = (what: string, edit: (events: Events) => Events, id: CheckId): Tampering =>
  changed(
    what,
    (honest) => ({
      ...honest,
      event_log: JSON.stringify(edit(JSON.parse(honest.event_log ?? '') as Events)),
    }),
    id,
  );
const change =
  (name: string, more: Partial<EventLogEntry>) =>
  (events: Events): Events =>
    events.map((event) => (event.event === name ? { ...event, ...more } : event));
const without = (name: string) => (events: Events) => events.filter(({ event }) => event !== name);
const boot = (digest: string) => (events: Events) =>
  events.map((event, i) => (i === 3 ? { ...event, digest } : event));
/** The hash of another Compose file. */
const OTHER = 'ab'.repeat(32);

export const LOGS = [
  logged(
    'a changed payload and its old digest',
    change('compose-hash', { event_payload: OTHER }),
    'events.digests',
  ),
  logged('a changed payload without a digest', change('app-id', { event_payload: 'ab'.repeat(20) }), 'rtmr3'),
  logged(
    'a changed payload and digest',
    change('compose-hash', withDigest(runtimeEvent('compose-hash', OTHER))),
    'rtmr3',
  ),
  logged('the preimage of another value', change('compose-hash', { preimage: 'abcd' }), 'events.digests'),
  logged(
    'an event added after system-ready',
    (events) => [...events, runtimeEvent('compose-hash', OTHER)],
    'events.order',
  ),
  logged(
    'an app event added after system-ready',
    (events) => [...events, runtimeEvent('hello', '00')],
    'rtmr3',
  ),
  logged(
    'a duplicate system event',
    (events) => events.flatMap((event) => (event.event === 'compose-hash' ? [event, event] : [event])),
    'events.order',
  ),
  logged('an event removed', without('storage-fs'), 'rtmr3'),
  logged('the compose hash removed', without('compose-hash'), 'events.order'),
  logged('system-ready removed', without('system-ready'), 'events.order'),
  logged(
    'two events swapped',
    (events) => [...events.slice(0, 20), ...events.slice(20, 22).reverse(), ...events.slice(22)],
    'rtmr3',
  ),
  logged(
    'an event moved to another register',
    change('storage-fs', { imr: 2, digest: 'ab'.repeat(48) }),
    'rtmr3',
  ),
  logged('an event of another type', change('compose-hash', { event_type: 6 }), 'events.order'),
  logged('a boot digest changed', boot('ab'.repeat(48)), 'rtmr.boot'),
  logged('a short digest', boot('ab'), 'events.format'),
  signed(
    'a measured app event that uses a system name',
    { events: (events) => [...events, runtimeEvent('compose-hash', OTHER)] },
    'events.order',
  ),
  signed(
    'a system value written only by the app',
    { events: (events) => [...without('compose-hash')(events), runtimeEvent('compose-hash', OTHER)] },
    'events.order',
  ),
  signed(
    'a measured duplicate',
    {
      events: (events) => [
        ...events.slice(0, 21),
        runtimeEvent('app-id', '00'.repeat(20)),
        ...events.slice(21),
      ],
    },
    'events.order',
  ),
];

const configured = (from: string, to: string) =>
  changed(
    `VM configuration changed from ${from} to ${to}`,
    (honest) => ({ ...honest, vm_config: replaced(honest.vm_config, from, to) }),
    'os.image',
  );
const claimed = (name: 'mrtd' | 'app_id' | 'compose_hash' | 'mr_aggregated' | 'rtmr3' | 'device_id') =>
  changed(
    `a reported ${name} that differs from the measured one`,
    (honest) => ({ ...honest, claims: { [name]: 'ab'.repeat(20) } }),
    'claims',
  );

export const APPS = [
  changed(
    'a space added to the Compose file',
    (honest) => ({ ...honest, app_compose: `${honest.app_compose} ` }),
    'compose.hash',
  ),
  changed(
    'a changed byte in the Compose file',
    (honest) => ({ ...honest, app_compose: replaced(honest.app_compose, 'nginx', 'nginy') }),
    'compose.hash',
  ),
  changed(
    'half a character added to the Compose file',
    (honest) => ({ ...honest, app_compose: `${honest.app_compose}\ud800` }),
    'compose.hash',
  ),
  configured('memory_size":4294967296', 'memory_size":8589934592'),
  configured('qemu_version":"8.2.2', 'qemu_version":"9.2.2'),
  configured('os_image_hash":"', 'os_image_hash":"00'),
  configured('"measurement":"o2', '"measurement":"o3'),
  configured('"checksum_file":"', '"checksum_file":"AAAA'),
  signed(
    'a disk key without a provider',
    {
      events: change('key-provider', {
        event_payload: bytesToHex(utf8('{"name":"none","id":""}')),
        digest: '',
      }),
    },
    'key_provider',
  ),
  ...(['mrtd', 'app_id', 'compose_hash', 'mr_aggregated', 'rtmr3', 'device_id'] as const).map(claimed),
];
