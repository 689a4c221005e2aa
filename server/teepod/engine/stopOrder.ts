import type { ContainerSummary } from './dockerApi';

/** `db:service_healthy:false,cache:service_started:false`; Compose v1 doesn't write it. */
const DEPENDS_ON = 'com.docker.compose.depends_on';
const SERVICE = 'teehouse.service';

/** Groups containers that may stop together, so that each stops before those it depends on, as with Compose. */
export function stopOrder(containers: readonly ContainerSummary[]): ContainerSummary[][] {
  const groups: ContainerSummary[][] = [];
  let left = [...containers];
  while (left.length > 0) {
    const needed = new Set(left.flatMap(({ Labels }) => namesIn(Labels[DEPENDS_ON] ?? '')));
    const free = left.filter(({ Labels }) => !needed.has(Labels[SERVICE] ?? ''));
    const group = free.length > 0 ? free : left;
    groups.push(group);
    left = left.filter((one) => !group.includes(one));
  }
  return groups;
}

const namesIn = (label: string): string[] => label.split(',').map((entry) => entry.split(':')[0] ?? '');
