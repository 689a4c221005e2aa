import type { AppRevisionDetail, RevisionImage } from '../../../generated/api/types.gen';
import type { CallerTeam } from '../core/caller';
import { composeFacts, parseAppCompose } from './composeFacts';
import { toRevision, type RevisionFields } from './appResponse';
import { kmsOut, type KmsFields } from '../catalog/catalogResponse';
import { short } from '../core/references';

interface Resolved {
  name: string;
  image: string;
  image_id: string;
  at: string;
}

export interface RevisionDetailFields {
  fields: RevisionFields;
  row: {
    compose_hash: string;
    app_compose: string;
    docker_compose_file: string;
    pre_launch_script: string | null;
    resolved_images: readonly Resolved[];
  };
  os: { os_image_hash: string | null } | null;
}

/** Returns a revision's details. With `raw`, `compose_file` is the hashed text, for clients that verify it. */
export function toRevisionDetail(
  { fields, row, os }: RevisionDetailFields,
  around: { app_id: string; team: CallerTeam; kms: KmsFields | null; raw: boolean },
): AppRevisionDetail {
  return {
    ...toRevision(fields, around.app_id, around.team),
    compose_file: around.raw ? row.app_compose : parseAppCompose(row.app_compose),
    app_compose: row.app_compose,
    docker_compose_file: row.docker_compose_file,
    pre_launch_script: row.pre_launch_script,
    os_image_hash: os?.os_image_hash ?? null,
    kms: around.kms && kmsOut(around.kms),
    images: imagesOf(row),
    encrypted_env: '',
    user_config: '',
  };
}

/** Returns each service's pinned digest and the image its container ran, matched by service or image name. */
function imagesOf(row: RevisionDetailFields['row']): RevisionImage[] {
  return composeFacts(row).services.map(({ name, image }) => {
    const resolved =
      row.resolved_images.find((one) => isOf(one.name, name)) ??
      row.resolved_images.find((one) => image !== null && one.image === image);
    return {
      service: short(name, 256),
      image: short(image, 512),
      pinned: /@(sha256:[0-9a-f]{64})$/.exec(image ?? '')?.[1] ?? null,
      resolved: resolved?.image_id ?? null,
      resolved_at: resolved?.at ?? null,
    };
  });
}

/** Containers are named after their service, or `<project>-<service>-<n>` by Docker Compose. */
function isOf(container: string, service: string): boolean {
  if (container === service) return true;
  const bare = container.replace(/[-_]\d+$/, '');
  return bare !== container && (bare.endsWith(`-${service}`) || bare.endsWith(`_${service}`));
}
