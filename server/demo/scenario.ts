import type { TeamRole } from '../domain/core/caller';
import { longCompose, shortCompose } from './composeFiles';
import { demoId } from './random';

/**
 * The demo's users and content: an ordinary team, one in which everything is as long, large and numerous as the
 * product allows, and one with almost nothing that is in debt. Times are hours before the demo was filled.
 */

/** Password of every demo account. It protects nothing: the demo only listens locally, and its data is made up. */
export const DEMO_PASSWORD = 'steep the leaves for three minutes';

/** Hours of history: more than thirty days, so that the previous month always has usage to invoice. */
export const HISTORY_HOURS = 35 * 24;

/** Final state of a CVM's history. `running`: it starts with the demo. */
type End = 'running' | 'stopped' | 'failed' | 'recycled';

export interface DemoCvm {
  public_id: string;
  name: string;
  type: 'tdx.small' | 'tdx.medium' | 'tdx.large' | 'tdx.xlarge';
  /** Hours since deployment. */
  age: number;
  end: End;
  /** Restarts, pauses, failures and incidents to schedule. */
  incidents: number;
  listed: boolean;
}

interface DemoRevision {
  /** Hours before the filling. */
  age: number;
  compose: string;
  reason: string | null;
}

export interface DemoApp {
  name: string;
  revisions: DemoRevision[];
  cvms: DemoCvm[];
  domains: string[];
}

export interface DemoTeam {
  slug: string;
  name: string;
  members: { email: string; role: TeamRole }[];
  apps: DemoApp[];
  top_ups: { age: number; dollars: number }[];
  credit: { dollars: number; reason: string } | null;
  payer: { legal_name: string; address: string; country: string } | null;
  /** Hours since its balance fell below zero; null if it didn't. */
  owes_since: number | null;
}

interface DemoUser {
  email: string;
  username: string;
  platform_admin: boolean;
  /** Platform role of staff who aren't administrators. */
  platform_role?: 'finance';
  /** Why to sign in as this user. */
  what: string;
}

const LONG_NAME =
  'Bartholomew Maximilian Featherstonehaugh-Cholmondeley von zu Hohenlohe-Waldenburg-Schillingsfürst';

/** The first is the platform administrator. */
export const USERS: readonly DemoUser[] = [
  { email: 'admin@example.test', username: 'Ada', platform_admin: true, what: 'platform administrator' },
  {
    email: 'owner@example.test',
    username: 'Olivia',
    platform_admin: false,
    what: 'owner of the ordinary team',
  },
  {
    email: 'member@example.test',
    username: 'Miles',
    platform_admin: false,
    what: 'member of the ordinary team',
  },
  {
    email: 'billing@example.test',
    username: 'Bella',
    platform_admin: false,
    what: 'pays for the ordinary team',
  },
  {
    email: 'viewer@example.test',
    username: 'Victor',
    platform_admin: false,
    what: 'may only look at the ordinary team',
  },
  {
    email: 'extreme@example.test',
    username: LONG_NAME,
    platform_admin: false,
    what: 'owner of the team with extreme data',
  },
  {
    email: 'debtor@example.test',
    username: 'Dora',
    platform_admin: false,
    what: 'owner of an almost empty team with a debt',
  },
  {
    email: 'finance@example.test',
    username: 'Fritz',
    platform_admin: false,
    platform_role: 'finance',
    what: 'finance staff, whose larger credits the administrator approves',
  },
];

interface Given {
  type?: DemoCvm['type'];
  age?: number;
  ends?: readonly End[];
  revisions?: number;
  reason?: (number: number) => string | null;
  compose?: (number: number) => string;
  domains?: string[];
  incidents?: number;
  listed?: boolean;
}

/** An app with one CVM per end, and its revisions spread over its life. */
function app(slug: string, name: string, given: Given): DemoApp {
  const { type = 'tdx.small', age = HISTORY_HOURS - 5, ends = ['running'], revisions = 3 } = given;
  const { reason = () => null, compose = (number: number) => shortCompose(name, number) } = given;
  return {
    name,
    revisions: Array.from({ length: revisions }, (_, i) => ({
      age: age - Math.floor((i * (age - 24)) / revisions),
      compose: compose(i + 1),
      reason: i === 0 ? null : reason(i + 1),
    })),
    cvms: ends.map((end, i) => ({
      public_id: demoId('cvm', `${slug}/${name}/${i}`),
      name: i === 0 ? name : `${name.slice(0, 59).replace(/-$/, '')}-${i + 1}`,
      type,
      age: age - i * 2,
      end,
      incidents: given.incidents ?? 4,
      listed: given.listed ?? false,
    })),
    domains: given.domains ?? [],
  };
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const ORDINARY: DemoTeam = {
  slug: 'demo-tea',
  name: 'Demo: Northwind Tea',
  members: [
    { email: 'owner@example.test', role: 'owner' },
    { email: 'admin@example.test', role: 'admin' },
    { email: 'member@example.test', role: 'member' },
    { email: 'billing@example.test', role: 'billing' },
    { email: 'viewer@example.test', role: 'viewer' },
  ],
  apps: [
    app('demo-tea', 'storefront', {
      type: 'tdx.medium',
      ends: ['running', 'running'],
      revisions: 6,
      reason: (n) => (n % 2 === 0 ? 'Show delivery dates in the cart' : null),
      domains: ['shop.northwind-tea.example', 'www.northwind-tea.example'],
      listed: true,
    }),
    app('demo-tea', 'tea-prices', { revisions: 4, domains: ['prices.northwind-tea.example'], listed: true }),
    app('demo-tea', 'order-worker', { ends: ['stopped'], age: 600 }),
    app('demo-tea', 'price-oracle', { ends: ['running', 'running'], age: 500, revisions: 2, listed: true }),
    app('demo-tea', 'label-printer', { ends: ['running', 'recycled'], age: 300 }),
    app('demo-tea', 'returns-bot', { ends: ['failed'], age: 200, revisions: 2 }),
  ],
  top_ups: [
    { age: HISTORY_HOURS, dollars: 300 },
    { age: 500, dollars: 400 },
    { age: 120, dollars: 250 },
  ],
  credit: { dollars: 25, reason: 'Thank you for reporting a typo' },
  payer: { legal_name: 'Northwind Tea Ltd', address: '1 Harbor Street\nBristol', country: 'GB' },
  owes_since: null,
};

const DAILY = [
  'Rotates the signing key of the settlement service after the quarterly review, and raises its limits',
  'so that the nightly batch of the Asian markets no longer competes with that of the European ones.',
  'Reviewed by four members of three departments; the minutes of both meetings are in the shared folder.',
].join(' ');
const longReason = (n: number) => `${n}. ${DAILY} ${DAILY} ${DAILY}`.slice(0, 900);

/** 63 characters, the most a name may have. */
const longest = (text: string) =>
  `${text}-${'abcdefghijklmnopqrstuvwxyz0123456789'.repeat(2)}`.slice(0, 63).replace(/-$/, 'x');

const EXTREME: DemoTeam = {
  slug: 'demo-extreme-with-an-address-of-40-chars',
  name: 'Demo: The Extraordinarily Long-Named International Confederacy of Confidential Computing Enthusiasts',
  members: [
    { email: 'extreme@example.test', role: 'owner' },
    { email: 'owner@example.test', role: 'member' },
  ],
  apps: [
    app('demo-extreme', longest('domains'), {
      type: 'tdx.large',
      domains: times(
        20,
        (i) =>
          `${'subdomain-'.repeat(5)}${i}.${'very-long-label-'.repeat(3)}example.${'abcdef'.repeat(6)}.example`,
      ),
      incidents: 12,
    }),
    app('demo-extreme', 'forty-revisions', {
      type: 'tdx.medium',
      revisions: 40,
      reason: (n) => `Change ${n} of the release train`,
    }),
    app('demo-extreme', 'twelve-cvms', {
      ends: times(12, (i) => (i < 9 ? 'running' : 'stopped')),
      revisions: 2,
      incidents: 2,
    }),
    app('demo-extreme', 'long-compose-file', { compose: (n) => longCompose(n), revisions: 2 }),
    app('demo-extreme', 'long-reasons', { revisions: 6, reason: longReason }),
    app('demo-extreme', longest('stopped'), { ends: ['stopped'], type: 'tdx.xlarge' }),
    app('demo-extreme', longest('failed'), { ends: ['failed'], incidents: 20 }),
    app('demo-extreme', longest('recycled'), { ends: ['running', 'recycled'] }),
    ...times(5, (i) => app('demo-extreme', longest(`load-${i}`), { type: 'tdx.xlarge', age: 700 - i * 100 })),
  ],
  top_ups: [
    { age: HISTORY_HOURS, dollars: 1_234_567.89 },
    { age: 400, dollars: 7_654_321 },
  ],
  credit: { dollars: 99_999.99, reason: longReason(1).slice(0, 480) },
  payer: {
    legal_name:
      'The Extraordinarily Long-Named International Confederation of Confidential Computing Enthusiasts',
    address: times(
      6,
      (i) => `Building ${i + 1}, Floor ${30 - i}, Donaudampfschifffahrtsgesellschaftsstraße`,
    ).join('\n'),
    country: 'DE',
  },
  owes_since: null,
};

const DEBTOR: DemoTeam = {
  slug: 'demo-debt',
  name: 'Demo: Dora’s weekend project',
  members: [{ email: 'debtor@example.test', role: 'owner' }],
  // Eighteen days cost $25; the twenty started before the last two.
  apps: [app('demo-debt', 'weekend', { age: 480, revisions: 1, incidents: 0 })],
  top_ups: [{ age: 481, dollars: 25 }],
  credit: null,
  payer: null,
  owes_since: 48,
};

export const TEAMS: readonly DemoTeam[] = [ORDINARY, EXTREME, DEBTOR];

/* The operators' offers, independent of teams. */

/** Disabled, because its server isn't part of the demo, but used until then. Prices per million tokens. */
export const AI_MODEL = {
  model: 'qwen/qwen3-32b',
  name: 'Qwen3 32B',
  description: 'General-purpose model in a confidential VM with an H200.',
  context_length: 32_768,
  // Micro-dollars.
  prices: { input: 400_000, cached_input: 100_000, output: 1_200_000 },
  upstream: { name: 'gpu-rack-1-vllm', url: 'http://gpu-rack-1.example:8000/v1' },
} as const;

export interface DemoAiKey {
  team: string;
  name: string;
  budget_dollars: number | null;
  /** Days of use until now, and requests per day. */
  days: number;
  per_day: number;
}

export const AI_KEYS: readonly DemoAiKey[] = [
  { team: 'demo-tea', name: 'Storefront assistant', budget_dollars: 40, days: 21, per_day: 40 },
  { team: 'demo-tea', name: 'Label texts', budget_dollars: null, days: 12, per_day: 8 },
];

export const ORDER_PRODUCTS = [
  {
    name: 'Medium CVM for a month',
    description: 'A reserved tdx.medium, about a fifth below its hourly price.',
    instance_type: 'tdx.medium',
    covers: 'cvm',
    period: 'month',
    dollars: 69,
    min_periods: 1,
    max_periods: 12,
    refund_percent: 50,
    stock: 20,
  },
  {
    name: 'H200 for a month',
    description: 'One NVIDIA H200 in confidential mode with its CVM.',
    instance_type: 'h200.small',
    covers: 'cvm',
    period: 'month',
    dollars: 1_900,
    min_periods: 1,
    max_periods: 6,
    refund_percent: 0,
    stock: 4,
  },
] as const;

export const ORDERS = [{ team: 'demo-tea', product: 'Medium CVM for a month', renews: true }] as const;

/** Either an amount, or a percentage of the next payment up to a cap. */
export const PROMOTION_CODES = [
  {
    code: 'FIRSTFLUSH',
    description: 'Welcome to the spring release',
    amount_dollars: 10,
    percent: null,
    cap_dollars: null,
    max_uses: 200,
    max_uses_per_team: 1,
    ended: false,
    redeemed_by: ['demo-tea', 'demo-extreme-with-an-address-of-40-chars'],
  },
  {
    code: 'SECONDPOT',
    description: '20% on top of the next payment',
    amount_dollars: null,
    percent: 20,
    cap_dollars: 50,
    max_uses: null,
    max_uses_per_team: 1,
    ended: true,
    redeemed_by: [],
  },
] as const;

const H200 = { product_id: '10de:2335', description: 'NVIDIA H200' } as const;
/** None is free, because nothing could run on one here. */
export const GPUS = [
  { ...H200, slot: '0000:17:00.0', notes: '', reserved_for: 'demo-tea', fault: null, used_elsewhere: false },
  { ...H200, slot: '0000:3d:00.0', notes: '', reserved_for: 'demo-tea', fault: null, used_elsewhere: false },
  {
    ...H200,
    slot: '0000:60:00.0',
    notes: 'Replacement ordered',
    reserved_for: null,
    fault: 'Xid 79: fell off the bus',
    used_elsewhere: false,
  },
  { ...H200, slot: '0000:70:00.0', notes: '', reserved_for: null, fault: null, used_elsewhere: true },
] as const;

/** More than one administrator may grant alone (`BILLING_APPROVAL_LIMIT` of the demo). */
export const APPROVAL_LIMIT_DOLLARS = 500;
export const CREDIT_REQUEST = {
  by: 'finance@example.test',
  team: 'demo-tea',
  dollars: 750,
  reason: 'Two days without the price oracle after the move to another host',
} as const;

/** CVMs that run in the demo. */
export const runningIds = (): string[] =>
  TEAMS.flatMap(({ apps }) =>
    apps.flatMap(({ cvms }) => cvms.filter(({ end }) => end === 'running').map(({ public_id }) => public_id)),
  );
