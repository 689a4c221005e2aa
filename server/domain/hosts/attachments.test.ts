import { expect, it } from 'vitest';
import { holdsOf } from './attachments';

it('names the host ports and GPUs that a VM holds', () => {
  const ports = [
    { protocol: 'tcp', host_port: 8080 },
    { protocol: 'udp', host_port: 53 },
  ];
  const listed = { attach_mode: 'listed', gpus: [{ slot: '0000:18:00.0' }] };
  expect(holdsOf({ ports, gpus: listed })).toBe('port 8080/tcp, port 53/udp, GPU 0000:18:00.0');
  expect(holdsOf({ ports: [], gpus: { attach_mode: 'all', gpus: [] } })).toBe('all GPUs');
});

it('is null for a VM that holds none', () => {
  expect(holdsOf({ ports: [], gpus: null })).toBeNull();
  expect(holdsOf({ ports: [], gpus: { attach_mode: 'listed', gpus: [] } })).toBeNull();
});

it("keeps only names from a host's report", () => {
  const ports = [{ protocol: 'tcp\0\n<b>', host_port: 80 }];
  expect(holdsOf({ ports, gpus: null })).toBe('port 80/tcpb');
});
