import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { CvmRef, DeviceId, RevisionRef, UserRef, WorkspaceRef } from '../../../generated/api/types.gen';
import type { CallerTeam } from './caller';

export interface UserFields {
  public_id: string;
  username: string;
  avatar: string;
}

export interface CvmRefFields {
  public_id: string;
  name: string;
  vm_uuid: string;
  /** 40 hex digits. */
  app_id: string;
}

/** Returns what other users may see of a user. */
export function userRef(user: UserFields | null): UserRef | null {
  return (
    user && {
      object_type: 'user',
      id: user.public_id,
      username: user.username,
      avatar_url: user.avatar || null,
    }
  );
}

/** Returns a team as responses refer to it. */
export function workspaceRef(team: CallerTeam | null): WorkspaceRef | null {
  return (
    team && {
      object_type: 'workspace',
      id: team.public_id,
      name: team.name,
      slug: team.slug,
      avatar_url: null,
    }
  );
}

/** Returns a CVM as responses refer to it. */
export function cvmRef(cvm: CvmRefFields | null): CvmRef | null {
  return (
    cvm && {
      object_type: 'cvm',
      id: cvm.public_id,
      name: cvm.name,
      app_id: cvm.app_id,
      vm_uuid: cvm.vm_uuid,
    }
  );
}

/** Returns a host's device ID as clients list them. There is one way to derive it, for every OS image. */
export const deviceIds = (device_id: string | null): DeviceId[] =>
  device_id === null ? [] : [{ device_id, algorithm_version: '1', os_image_ids: [], enabled: true }];

export interface RevisionRefFields {
  public_id: string;
  number: number;
}

/** Returns a revision as responses refer to it. */
export const revisionRef = ({ public_id, number }: RevisionRefFields): RevisionRef => ({
  revision_id: public_id,
  revision_number: number,
});

/** A response as stored: same fields, but `Times` are still dates. */
export type Stored<Out, Times extends keyof Out> = Omit<Out, Times> & {
  [K in Times]: Out[K] extends string ? Date : Date | null;
};

/** Returns the time in ISO 8601. */
export const iso = (time: Date | null): string | null => time && time.toISOString();

/** Truncates text from hosts and guests, which is unbounded, to the API schema's limit in characters. */
export const short = <T extends string | null>(text: T, length: number): T =>
  text !== null && text.length > length ? (`${cutWhole(text, length - 1)}…` as T) : text;
