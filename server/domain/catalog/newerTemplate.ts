import { createHash } from 'node:crypto';
import type { AppTemplate, Template } from '../../../generated/api/types.gen';
import { versionTuple } from '../core/versions';

export const composeFileHash = (compose: string): string =>
  createHash('sha256').update(compose).digest('hex');

/** Compares versions number by number, so that 1.10.0 is above 1.9.0. */
export function isNewerVersion(version: string, than: string): boolean {
  const [left, right] = [versionTuple(version), versionTuple(than)];
  const at = left.findIndex((part, i) => part !== (right[i] ?? 0));
  return at !== -1 && (left[at] ?? 0) > (right[at] ?? 0);
}

/** A template's offer to apps from an earlier version. */
export type OfferedTemplate = Pick<
  Template,
  'version' | 'compose_file' | 'compose_file_hash' | 'inputs' | 'changelog'
>;

interface Origin {
  team_id: number | null;
  template_id: string;
  version: string;
  name: string;
  compose_file: string | null;
  compose_file_hash: string | null;
  running: string;
}

/** Returns where an app came from, and the template version that it could be updated to. */
export function appTemplateOut(origin: Origin, offered: OfferedTemplate | undefined): AppTemplate {
  const running = composeFileHash(origin.running);
  return {
    template: {
      source: origin.team_id === null ? 'server' : 'team',
      id: origin.template_id,
      name: origin.name,
      version: origin.version,
      is_offered: offered !== undefined,
      is_modified: origin.compose_file_hash === null ? null : running !== origin.compose_file_hash,
      compose_file: origin.compose_file,
    },
    newer: offered && isUpdate(origin, offered, running) ? newerOut(origin, offered) : null,
  };
}

/** A version with an unchanged Compose file has nothing to update. */
const isUpdate = (
  { version, compose_file_hash }: Pick<Origin, 'version' | 'compose_file_hash'>,
  offered: OfferedTemplate,
  running: string,
): boolean =>
  isNewerVersion(offered.version, version) &&
  offered.compose_file_hash !== compose_file_hash &&
  offered.compose_file_hash !== running;

const newerOut = ({ version }: Origin, offered: OfferedTemplate): AppTemplate['newer'] => ({
  version: offered.version,
  compose_file: offered.compose_file,
  compose_file_hash: offered.compose_file_hash,
  inputs: offered.inputs,
  changelog: offered.changelog.filter((one) => isNewerVersion(one.version, version)),
});
