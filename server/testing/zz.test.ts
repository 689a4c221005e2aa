import { Session } from 'node:inspector';
import { writeFileSync, readdirSync, readFileSync } from 'node:fs';
import { inject, it } from 'vitest';
import { startTestServer } from './server';
const TEEPOD = process.env.ZZ_TEEPOD === '1';
function pg(): number {
  let sum = 0;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const s = readFileSync(`/proc/${pid}/stat`, 'utf8');
      if (!/\(postgres\)/.test(s)) continue;
      const cwd = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      void cwd;
      const f = s.split(') ')[1]!.split(' ');
      if (f[1] === String(master)) sum += (Number(f[11]) + Number(f[12]));
      if (pid === String(master)) sum += Number(f[11]) + Number(f[12]) + Number(f[13]) + Number(f[14]);
    } catch { /* gone */ }
  }
  return sum * 10;
}
const dir = /teehouse-test-\w+/.exec(String(inject('testDatabases').connection.host))?.[0] ?? 'none';
let master = 0;
for (const pid of readdirSync('/proc')) {
  try {
    const [exe = '', ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    if (/postgres$/.test(exe) && rest.join(' ').includes(dir)) master = Number(pid);
  } catch { /* gone */ }
}
it('starts', async () => {
  const first = await startTestServer({ teepod: TEEPOD });
  await first.register();
  await first.stop();
  const s = new Session(); s.connect();
  s.post('Profiler.enable'); s.post('Profiler.setSamplingInterval', { interval: 500 }); s.post('Profiler.start');
  const N = 10;
  const report = { node: 0, pg: 0, wall: 0 };
  const c = process.cpuUsage(); const p = pg(); const t = Date.now();
  const steps: Record<string, number> = {};
  const add = (k: string, from: number) => (steps[k] = (steps[k] ?? 0) + (performance.now() - from));
  for (let i = 0; i < N; i++) {
    let a = performance.now();
    const server = await startTestServer({ teepod: TEEPOD });
    add('start', a); a = performance.now();
    await server.register(); await server.register();
    add('register2', a); a = performance.now();
    if (process.env.ZZ_IDLE) await new Promise((r) => setTimeout(r, Number(process.env.ZZ_IDLE)));
    add('idle', a); a = performance.now();
    await server.stop();
    add('stop', a);
  }
  const u = process.cpuUsage(c);
  report.node = (u.user + u.system) / 1000 / N; report.pg = (pg() - p) / N; report.wall = (Date.now() - t) / N;
  console.log('ZZ per server', JSON.stringify(report), JSON.stringify(Object.fromEntries(Object.entries(steps).map(([k, v]) => [k, v / N]))), 'master', master);
  s.post('Profiler.stop', (_e, r) => writeFileSync('/tmp/wtb/prof/zz-0.cpuprofile', JSON.stringify(r.profile)));
}, 300_000);
