import type {
  AdminDrain,
  AdminKms,
  AdminKmsContract,
  AdminMaintenanceWindow,
  AdminMonitoringEvent,
  AdminNode,
  AdminTeepod,
} from '../../generated/api/types.gen';
import { adminHref } from '../paths';

/** Something a person has to look at, with where. */
export interface Concern {
  key: string;
  tone: 'error' | 'attention';
  title: string;
  detail: string;
  href: string;
  /** When it began, where known. */
  since: string | null;
}

/** Share of a capacity from which new CVMs will soon be refused. */
const NEARLY_FULL = 0.9;

const RESOURCES = [
  { used: 'used_cvms', max: 'max_cvms', noun: 'CVM slots' },
  { used: 'used_vcpu', max: 'max_vcpu', noun: 'vCPUs' },
  { used: 'used_memory_mb', max: 'max_memory_mb', noun: 'memory' },
  { used: 'used_disk_gb', max: 'max_disk_gb', noun: 'disk' },
] as const;

/** The worst first. Hosts that somebody took offline on purpose are nobody's concern. */
export function concernsOf(teepods: readonly AdminTeepod[], nodes: readonly AdminNode[]): Concern[] {
  const closed = new Set(nodes.filter((node) => node.state === 'offline').map((node) => node.id));
  const concerns = teepods
    .filter((teepod) => teepod.state !== 'offline' && !closed.has(teepod.node_id))
    .flatMap(concernsOfTeepod);
  return [
    ...concerns.filter(({ tone }) => tone === 'error'),
    ...concerns.filter(({ tone }) => tone !== 'error'),
  ];
}

function concernsOfTeepod(teepod: AdminTeepod): Concern[] {
  const href = adminHref.show('teepods', teepod.id);
  const concern = (
    key: string,
    tone: Concern['tone'],
    title: string,
    detail: string,
    since: string | null = null,
  ) => ({
    key: `${teepod.id}/${key}`,
    tone,
    title,
    detail,
    href,
    since,
  });
  const unset = RESOURCES.filter(({ max }) => teepod[max] === 0).map(({ noun }) => noun);
  const full = RESOURCES.filter(
    ({ used, max }) => teepod[max] > 0 && teepod[used] >= teepod[max] * NEARLY_FULL,
  );
  return [
    ...(teepod.reachable
      ? []
      : [
          concern(
            'reach',
            'error',
            `${teepod.name} does not answer`,
            teepod.last_error ?? 'It has never answered.',
            teepod.last_seen_at,
          ),
        ]),
    ...(unset.length > 0
      ? [
          concern(
            'unset',
            'attention',
            `${teepod.name} has no capacity set`,
            `Nothing can be deployed there without ${unset.join(', ')}.`,
          ),
        ]
      : []),
    ...(full.length > 0
      ? [
          concern(
            'full',
            'attention',
            `${teepod.name} is nearly full`,
            `Left to deploy: little of its ${full.map(({ noun }) => noun).join(', ')}.`,
          ),
        ]
      : []),
    ...(teepod.drift > 0
      ? [
          {
            ...concern(
              'drift',
              'attention',
              `${teepod.name}: host and database differ`,
              `Over ${teepod.drift === 1 ? 'one CVM' : `${teepod.drift} CVMs`}.`,
            ),
            href: adminHref.child('teepods', teepod.id, 'managed-cvms'),
          },
        ]
      : []),
    ...teepod.warnings.map((warning, i) =>
      concern(`warning ${i}`, 'attention', `${teepod.name} warns`, warning),
    ),
  ];
}

/** Hosts that cannot be emptied without a person, and nodes that are worked on now or next. */
export function concernsOfService(
  drains: readonly AdminDrain[],
  windows: readonly AdminMaintenanceWindow[],
  { teepods, nodes }: { teepods: readonly AdminTeepod[]; nodes: readonly AdminNode[] },
): Concern[] {
  const nameOf = (rows: readonly { id: number; name: string }[], id: number) =>
    rows.find((row) => row.id === id)?.name ?? String(id);
  return [
    ...drains
      .filter(({ state }) => state === 'blocked')
      .map(({ id, teepod_id, blocked_cvms, message, updated_at }): Concern => ({
        key: `drain/${id}`,
        tone: 'error',
        title: `Emptying ${nameOf(teepods, teepod_id)} is blocked by ${blocked_cvms === 1 ? 'one CVM' : `${blocked_cvms} CVMs`}`,
        detail: message ?? '',
        href: adminHref.show('drains', id),
        since: updated_at,
      })),
    ...windows
      .filter(({ state }) => state === 'active')
      .map(({ id, node_id, reason }): Concern => ({
        key: `maintenance/${id}`,
        tone: 'attention',
        title: `${nameOf(nodes, node_id)} is in maintenance`,
        detail: reason,
        href: adminHref.show('maintenance-windows', id),
        since: null,
      })),
  ];
}

/** Keys that are not the pinned ones come before every other trouble; retired services are nobody's concern. */
export function concernsOfKeys(kms: readonly AdminKms[], contracts: readonly AdminKmsContract[]): Concern[] {
  const said = (
    row: AdminKms | AdminKmsContract,
    resource: string,
    name: string,
    answered_at: string | null,
  ): Concern[] => {
    if (row.state === 'retired' || (row.health !== 'alarm' && row.health !== 'unreachable')) return [];
    const alarm = row.health === 'alarm';
    return [
      {
        key: `${resource}/${row.id}`,
        tone: 'error',
        title: alarm ? `${name}: alarm` : `${name} does not answer`,
        detail: (alarm ? row.notices[0] : row.last_error) ?? 'It has never answered.',
        href: adminHref.show(resource, row.id),
        since: alarm ? null : answered_at,
      },
    ];
  };
  const all = [
    ...kms.flatMap((row) => said(row, 'kms', `The KMS ${row.slug}`, row.answered_at)),
    ...contracts.flatMap((row) => said(row, 'kms-contracts', `The contract ${row.label}`, row.read_at)),
  ];
  return all.sort((a, b) => Number(b.title.endsWith('alarm')) - Number(a.title.endsWith('alarm')));
}

export interface Sums {
  used: number;
  max: number;
}

/** Capacity of the hosts that take or hold CVMs now: what is offline counts on neither side. */
export function capacityOf(teepods: readonly AdminTeepod[]): { noun: string; key: string; sums: Sums }[] {
  const counted = teepods.filter((teepod) => teepod.state !== 'offline');
  return RESOURCES.map(({ used, max, noun }) => ({
    noun,
    key: used,
    sums: {
      used: counted.reduce((sum, teepod) => sum + teepod[used], 0),
      max: counted.reduce((sum, teepod) => sum + teepod[max], 0),
    },
  }));
}

export const reportTitle = (report: Pick<AdminMonitoringEvent, 'message' | 'kind'>) =>
  report.message === '' ? `A report of kind ${report.kind}` : report.message;
