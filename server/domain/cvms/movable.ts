import { setImmediate } from 'node:timers/promises';
import { LineCounter } from 'yaml';
import { parseYaml } from '../../../console/lib/compose/parse';
import { drainText } from '../../../console/lib/texts/drainTexts';
import type { Text } from '../../../console/lib/texts/text';

export interface MovableFacts {
  movable: boolean;
  protected: boolean;
  docker_compose_file: string;
  pre_launch_script: string | null;
}

export interface Movability {
  allowed: boolean;
  why: Text;
}

/**
 * Decides for many CVMs in order. Parsing a file may take a tenth of a second, so other requests run in
 * between.
 */
export async function mayMoveEach<T extends MovableFacts>(
  cvms: readonly T[],
): Promise<(Movability & { cvm: T })[]> {
  const decided: (Movability & { cvm: T })[] = [];
  for (const cvm of cvms) {
    decided.push({ cvm, ...mayMove(cvm) });
    await setImmediate();
  }
  return decided;
}

/**
 * Decides whether a CVM may be recreated on another host. A CVM's disk is encrypted with its app's keys but
 * stays on its host: after a move it is empty. So a CVM is moved only if its owner allows it, or if the disk
 * holds nothing to lose.
 */
export function mayMove(cvm: MovableFacts): Movability {
  if (cvm.protected) return { allowed: false, why: drainText('disk_protected') };
  if (cvm.movable) return { allowed: true, why: drainText('owner_allows_move') };
  if (cvm.pre_launch_script === null && keepsNothing(cvm.docker_compose_file))
    return { allowed: true, why: drainText('nothing_on_disk') };
  return { allowed: false, why: drainText('disk_not_movable') };
}

/**
 * Characters. A drain parses the files of all of a host's CVMs on the main thread; long files count as
 * storing data.
 */
const MAX_READ = 16_384;

/**
 * Whether every container is read-only with only in-memory volumes. A writable container counts as storing
 * data: its image may declare its own volumes, as database images do.
 */
function keepsNothing(docker_compose_file: string): boolean {
  try {
    if (docker_compose_file.length > MAX_READ) return false;
    // With merge keys: a volume may come from an anchor.
    const document = parseYaml(docker_compose_file, { lineCounter: new LineCounter(), merge: true });
    if (document.errors.length > 0) return false;
    const file: unknown = document.toJS();
    if (!isMap(file) || !isMap(file.services)) return false;
    const services = Object.values(file.services);
    return services.length > 0 && services.every(isStateless);
  } catch {
    return false;
  }
}

function isStateless(service: unknown): boolean {
  if (!isMap(service) || service.read_only !== true) return false;
  const volumes = service.volumes ?? [];
  return Array.isArray(volumes) && volumes.every((volume) => isMap(volume) && volume.type === 'tmpfs');
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
