import { createHash } from 'node:crypto';
import type { FakeVm } from './fakeHost';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const GB = 2 ** 30;

type Relayed = (body: Record<string, unknown>) => unknown;

/** The guest agent's replies; `upGuest` refuses while no guest is up. */
export function fakeGuest(upGuest: (body: Record<string, unknown>) => FakeVm): Record<string, Relayed> {
  return {
    'guest/Info': (body) => {
      const { info, booted } = upGuest(body);
      const tcb_info = JSON.stringify({ compose_hash: sha256(booted), app_compose: booted });
      return {
        version: '0.6.0',
        app_id: info.app_id,
        instance_id: info.instance_id,
        app_cert: '',
        tcb_info,
        device_id: sha256(''),
      };
    },
    'guest/SysInfo': (body) => {
      const { config } = upGuest(body);
      const total_memory = config.memory * 1048576;
      return {
        os_name: 'fake',
        os_version: '12',
        kernel_version: '6.9.0',
        cpu_model: 'fake',
        num_cpus: config.vcpu,
        total_memory,
        available_memory: total_memory / 2,
        used_memory: total_memory / 2,
        free_memory: total_memory / 2,
        total_swap: 0,
        used_swap: 0,
        free_swap: 0,
        uptime: 1,
        loadavg_one: 0,
        loadavg_five: 0,
        loadavg_fifteen: 0,
        disks: [{ name: '/dev/vda', mount_point: '/', total_size: config.disk_size * GB, free_size: GB }],
      };
    },
    'guest/NetworkInfo': (body) => {
      upGuest(body);
      const counters = { rx_bytes: 1, tx_bytes: 1, rx_errors: 0, tx_errors: 0 };
      return {
        dns_servers: ['10.0.2.3'],
        gateways: [{ address: '192.0.2.1' }],
        interfaces: [{ name: 'eth0', addresses: [{ address: '192.0.2.2', prefix: 24 }], ...counters }],
        wg_info: 'interface: dstack-wg0',
      };
    },
    'guest/ListContainers': (body) => {
      upGuest(body);
      return {
        containers: [
          {
            id: sha256('c1'),
            names: ['/web'],
            image: 'busybox',
            image_id: `sha256:${sha256('busybox')}`,
            created: 1,
            state: 'running',
            status: 'Up',
          },
        ],
      };
    },
  };
}
