import type { CvmRef, RevisionRef, UserRef, WorkspaceRef } from '../../../generated/api/types.gen';
import type { CallerTeam } from '../caller';

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

/** A person, as others may see them. */
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

export interface RevisionRefFields {
  public_id: string;
  number: number;
}

export const revisionRef = ({ public_id, number }: RevisionRefFields): RevisionRef => ({
  revision_id: public_id,
  revision_number: number,
});

/** A row as the database has it: the same words, its times not yet text. */
export type Stored<Out, Times extends keyof Out> = Omit<Out, Times> & {
  [K in Times]: Out[K] extends string ? Date : Date | null;
};

export const iso = (time: Date | null): string | null => time && time.toISOString();

/** Texts of hosts and guests have no bound of their own; the document's are characters. */
export const short = <T extends string | null>(text: T, length: number): T =>
  text !== null && text.length > length ? (`${text.slice(0, length - 1)}…` as T) : text;
