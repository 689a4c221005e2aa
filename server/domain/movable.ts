import { parse } from 'yaml';

export interface MovableFacts {
  movable: boolean;
  protected: boolean;
  docker_compose_file: string;
  pre_launch_script: string | null;
}

/**
 * Whether a CVM may be made anew on another host. A CVM's disk is encrypted with keys of its app, but lies on its host and
 * does not travel: after a move it is empty. So a CVM is moved where its owner says so, or where there is nothing on the
 * disk to lose. `why` is a sentence for people.
 */
export function mayMove(cvm: MovableFacts): { allowed: boolean; why: string } {
  if (cvm.protected)
    return { allowed: false, why: 'It is protected against deletion, and a move destroys its disk.' };
  if (cvm.movable) return { allowed: true, why: 'Its owner allows it to be moved.' };
  if (cvm.pre_launch_script === null && keepsNothing(cvm.docker_compose_file))
    return { allowed: true, why: 'Its containers are read-only and have no volumes.' };
  return {
    allowed: false,
    why: 'It may have data on its disk, which stays on this host, and its owner has not allowed it to be moved.',
  };
}

/**
 * Every container is read-only and has no volume but in memory. A container that may write is taken to have something to
 * lose: its image may declare volumes of its own, as those of databases do.
 */
function keepsNothing(docker_compose_file: string): boolean {
  try {
    const file: unknown = parse(docker_compose_file);
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
