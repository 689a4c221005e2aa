import { eventually } from '../../testing/server';
import type { Phala, Ran } from './phala';
import type { Recorder } from './recorder';
import { decide, type World } from './world';

/** Runs `phala login` until it shows its code. Approve only after at least one poll has received "pending". */
export async function login(
  world: World,
  phala: Phala,
  wire: Recorder,
  decision: 'approve' | 'deny',
): Promise<Ran> {
  wire.take();
  let shown = '';
  const ended = phala('login --no-open --print-token', {
    key: null,
    prefix: wire.prefix,
    onStderr: (all) => (shown = all),
  });
  const code = await eventually(
    'the code is shown',
    async () => /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(shown)?.[0],
    60,
  );
  // A denial doesn't need to wait.
  const polled = async () =>
    decision === 'deny' ||
    wire.seen.some((one) => /authorization_pending/.test(JSON.stringify(one.reply ?? '')));
  await eventually('one poll has received "pending"', polled);
  await decide(world.person, code, decision);
  return ended;
}
