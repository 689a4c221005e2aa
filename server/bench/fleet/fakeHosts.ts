import { startFakeVmm } from '../../drivers/vmm/fake';

/** A process of hosts that boot CVMs in memory, like the tests' fake host, and record when each is created. */

export interface Created {
  /** The name that the host was given for the VM, and when, in ms since 1970. */
  name: string;
  at: number;
}

const STAGE_MS = 100;
const created: Created[] = [];

process.on('message', (message: { hosts: number } | 'report') => {
  if (message === 'report') return void process.send?.(created);
  void (async () => {
    const urls: string[] = [];
    for (let n = 0; n < message.hosts; n++) {
      const fake = await startFakeVmm({ stage_ms: STAGE_MS });
      fake.on('/prpc/CreateVm', (_request, _response, body) => {
        created.push({ name: String(body.name), at: performance.timeOrigin + performance.now() });
        return 'pass';
      });
      urls.push(fake.url);
    }
    process.send?.(urls);
  })();
});
