import { describe, expect, it } from 'vitest';
import { strayReason } from '../hosts/strays';
import type { Decision } from './reconciliation';
import { RULES, World, type ModelCvm, type ModelVm, type Rules } from './testing/hostModel';

/**
 * The reconciler's rules against random sequences of host and user actions. A failure names its seed, which
 * repeats the sequence.
 */
const BLOCKS = Array.from({ length: 12 }, (_, index) => index + 1);
const PER_BLOCK = 1000;
const STEPS = 40;

const DECISIONS: readonly Decision[] = [
  'record',
  'note_missing',
  'note_listed',
  'inquire',
  'lose',
  'recover',
  'find_stopped',
  'start',
  'stop',
  'delete',
];

/** Returns a small seeded generator of whole numbers from 0 up to, but not including, `below`. */
function generator(seed: number): (below: number) => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Happening = (world: World, random: (below: number) => number) => void;

const anyOf = <T>(all: readonly T[], random: (below: number) => number): T | undefined =>
  all.length === 0 ? undefined : all[random(all.length)];
const anyHost = (world: World, random: (below: number) => number) => world.hostOf(1 + random(2));
const withVm =
  (change: (vm: ModelVm, random: (below: number) => number) => void): Happening =>
  (world, random) => {
    const vm = anyOf(anyHost(world, random).vms, random);
    if (vm) change(vm, random);
  };
const withCvm =
  (change: (world: World, cvm: ModelCvm, random: (below: number) => number) => void): Happening =>
  (world, random) => {
    const cvm = anyOf(
      world.cvms.filter(({ status }) => status !== 'deleted'),
      random,
    );
    if (cvm) change(world, cvm, random);
  };
const settled = (cvm: ModelCvm) => cvm.operation === null && cvm.status !== 'lost';

const HAPPENINGS: Readonly<Record<string, Happening>> = {
  gone: withVm((vm, random) => Object.assign(vm, { hidden: true, process_runs: random(4) === 0 })),
  'all gone': (world, random) => anyHost(world, random).vms.forEach((vm) => (vm.hidden = true)),
  back: (world, random) =>
    anyHost(world, random).vms.forEach((vm) => Object.assign(vm, { hidden: false, process_runs: false })),
  duplicate: withCvm((world, cvm, random) => world.createVm(anyHost(world, random), cvm)),
  restarted: (world, random) => {
    for (const vm of anyHost(world, random).vms)
      if (vm.status === 'running') vm.boot_progress = random(3) === 0 ? 'recovering' : 'running';
  },
  silent: (world, random) => void (anyHost(world, random).silent = 1 + random(4)),
  'reload helps': (world, random) => void (anyHost(world, random).reload_helps = random(2) === 0),
  'half-written': withVm((vm, random) =>
    Object.assign(vm, random(2) === 0 ? { boot_error: 'no space left' } : { status: 'unknown' }),
  ),
  repaired: withVm((vm) => Object.assign(vm, { boot_error: '', status: 'running', boot_progress: 'done' })),
  'stopped on the host': withVm((vm, random) => {
    vm.status = random(2) === 0 ? 'exited' : 'stopped';
  }),
  'being removed on the host': withVm((vm) => (vm.status = 'removing')),
  deployed: (world, random) => void (world.cvms.length < 12 && world.deploy(1 + random(3))),
  started: withCvm((world, cvm) => {
    if (!settled(cvm) || cvm.desired === 'deleted') return;
    cvm.desired = 'running';
    world.begin(cvm, { type: 'start' }, 'starting');
  }),
  stopped: withCvm((world, cvm) => {
    if (!settled(cvm) || cvm.desired === 'deleted') return;
    cvm.desired = 'stopped';
    world.begin(cvm, { type: 'stop' }, 'stopping');
  }),
  'given up': withCvm((world, cvm) => world.giveUp(cvm)),
  deleted: withCvm((world, cvm, random) => void (random(3) === 0 && world.requestDeletion(cvm))),
  moved: withCvm((world, cvm, random) => {
    if (settled(cvm) && cvm.desired === 'running')
      world.begin(cvm, { type: 'move', to: 1 + random(2) }, 'restarting');
  }),
  'an hour passes': (world) => {
    world.advance(3600);
    for (const cvm of world.cvms) cvm.starts = 0;
  },
};
const NAMES = Object.keys(HAPPENINGS);

/** Runs one sequence. @returns the world, and the actions in order */
function run(seed: number, rules: Rules = RULES): { world: World; story: string[] } {
  const random = generator(seed);
  const world = new World(rules);
  const story: string[] = [];
  for (let first = 0; first < 3; first += 1) world.deploy(1 + random(3));
  for (let step = 0; step < STEPS && world.faults.length === 0; step += 1) {
    const name = anyOf(NAMES, random)!;
    story.push(name);
    HAPPENINGS[name]!(world, random);
    work(world, () => random(8) === 0);
    world.advance(1 + random(45));
    world.round();
  }
  return { world, story };
}

function work(world: World, drops: () => boolean): void {
  for (const cvm of world.cvms) world.operate(cvm, drops());
}

/** Makes every host healthy and list everything, for as long as the reconciler may need. */
function settle(world: World): void {
  for (const { host } of world.teepods) {
    host.silent = 0;
    for (const vm of host.vms)
      Object.assign(vm, {
        hidden: false,
        boot_error: '',
        boot_progress: vm.status === 'running' ? 'done' : '',
        status: ['unknown', 'removing'].includes(vm.status) ? 'stopped' : vm.status,
      });
  }
  for (let round = 0; round < 4; round += 1) {
    work(world, () => false);
    world.advance(60);
    world.round();
  }
}

describe('random sequences of host and user actions', () => {
  it.each(BLOCKS)('never cost a VM that a CVM had, with the %i thousandth seeds', (block) => {
    const decisions = new Map<string, number>();
    const seen = new Set<string>();
    for (let seed = (block - 1) * PER_BLOCK + 1; seed <= block * PER_BLOCK; seed += 1) {
      const { world, story } = run(seed);
      expect(world.faults, `seed ${seed}: ${story.join(', ')}`).toEqual([]);
      settle(world);
      expect(world.faults, `seed ${seed}, settling: ${story.join(', ')}`).toEqual([]);
      for (const cvm of world.cvms) {
        const isThere = world.hostOf(cvm.teepod_id).vms.some(({ id }) => id === cvm.host_vm_id);
        if (isThere) expect(cvm.status, `seed ${seed}: ${cvm.name} is found again`).not.toBe('lost');
        const isLeft = isThere && cvm.desired === 'stopped' && cvm.status === 'error';
        expect(isLeft, `seed ${seed}: ${cvm.name} is stopped again`).toBe(false);
      }
      for (const [decision, count] of world.decisions)
        decisions.set(decision, (decisions.get(decision) ?? 0) + count);
      for (const name of story) seen.add(name);
    }
    // Every action occurred, so none of this holds for lack of faults.
    expect([...seen].sort()).toEqual([...NAMES].sort());
    for (const decision of DECISIONS) expect(decisions.get(decision) ?? 0, decision).toBeGreaterThan(4);
  });

  it.each<[string, Partial<Rules>]>([
    ['creates a VM again when it is out of sight', { mayCreateVm: () => true }],
    [
      'removes the VMs of a host that was registered twice',
      {
        strayReason: (facts) => strayReason({ ...facts, is_named: false, has_moved: true }),
      },
    ],
    [
      'forgets which VMs were given up',
      {
        strayReason: (facts) =>
          strayReason({ ...facts, is_named: facts.is_named && facts.cvm?.status !== 'deleted' }),
      },
    ],
  ])('would expose a reconciler that %s', (_, broken) => {
    const faults = Array.from(
      { length: 2000 },
      (_one, seed) => run(seed + 1, { ...RULES, ...broken }).world.faults,
    );
    expect(faults.flat().length).toBeGreaterThan(0);
  });
});
