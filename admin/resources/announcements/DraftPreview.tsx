import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import type { AnnouncementAudience, AnnouncementReach } from '../../../generated/api/types.gen';
import { Panel } from '../../../console/ui/layout/Panel';
import { useSettled } from '../../../console/ui/useSettled';
import { fetchJson } from '../../http';
import { Banner } from './Banner';
import { Reach } from './Reach';

const SETTLE_MS = 200;

/** The record field required by an audience. */
const TARGETS = {
  workspaces: 'workspaces',
  teepod: 'teepod_id',
  node: 'node_id',
  kms: 'kms_id',
  os_image: 'os_image_id',
} as const;

const PROMPTS: Readonly<Record<keyof typeof TARGETS, string>> = {
  workspaces: 'Choose teams to see how many users it reaches.',
  teepod: 'Choose a teepod to see how many users it reaches.',
  node: 'Choose a node to see how many users it reaches.',
  kms: 'Choose a KMS to see how many users it reaches.',
  os_image: 'Choose an OS image to see how many users it reaches.',
};

type Draft = Partial<AnnouncementAudience> & Readonly<Record<string, unknown>>;

/** Returns the form's audience; undefined until its target is chosen. */
function audienceOf(draft: Draft): AnnouncementAudience | undefined {
  const { audience = 'everybody' } = draft;
  if (audience === 'everybody') return { audience };
  const target = TARGETS[audience];
  const value = draft[target];
  const chosen = Array.isArray(value) ? value.length > 0 : typeof value === 'number';
  return chosen ? { audience, [target]: value } : undefined;
}

/** A live preview of the banner, and its audience size. */
export function DraftPreview() {
  const draft = useWatch() as Draft;
  const audience = audienceOf(draft);
  const written = audience === undefined ? '' : JSON.stringify(audience);
  const asked = useSettled(written, SETTLE_MS);
  const { data, isError } = useQuery({
    queryKey: ['announcement-reach', asked],
    queryFn: async ({ signal }) => {
      const { json } = await fetchJson('/api/v1/admin/announcement-audiences', {
        method: 'POST',
        body: asked,
        signal,
      });
      return json as AnnouncementReach;
    },
    enabled: asked !== '',
    retry: false,
  });
  const { audience: kind = 'everybody' } = draft;
  const isNow = asked === written;
  return (
    <Panel
      title="Preview"
      subtitle={
        <span role="status">
          {kind !== 'everybody' && audience === undefined ? (
            PROMPTS[kind]
          ) : data !== undefined && isNow ? (
            <Reach users={data.users} everybody={kind === 'everybody'} future={draft.state !== 'live'} />
          ) : isError && isNow ? (
            'Couldn’t count the users it reaches.'
          ) : (
            'Counting users…'
          )}
        </span>
      }
    >
      <Banner announcement={draft} />
    </Panel>
  );
}
