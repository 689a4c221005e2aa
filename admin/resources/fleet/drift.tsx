import type { AdminHostedVm, AdminManagedCvm } from '../../../generated/api/types.gen';
import { ToneChip } from '../../../console/ui/feedback/ToneChip';

type Kind = AdminHostedVm['drift'][number] | AdminManagedCvm['drift'][number];

const WORDS: Readonly<Record<Kind, { word: string; title: string }>> = {
  left_behind: {
    word: 'Orphaned',
    title: 'Its CVM was deleted, is on another host, or belongs to another server.',
  },
  foreign: {
    word: 'Foreign',
    title: 'Not managed by this server; left unchanged.',
  },
  duplicate: { word: 'Duplicate', title: 'Its CVM already has another VM.' },
  missing: {
    word: 'Missing on host',
    title: 'The host has no VM for this CVM.',
  },
  status: {
    word: 'Status differs',
    title: 'Host and database disagree on whether it is running.',
  },
  resources: {
    word: 'Size differs',
    title: 'vCPU, memory, disk or OS image differ.',
  },
  compose: {
    word: 'Compose differs',
    title: 'Its Compose file differs from the one in the database.',
  },
};

/** Differences between database and host for one CVM. */
export function DriftChips({ drift }: { drift: readonly Kind[] }) {
  if (drift.length === 0)
    return (
      <ToneChip quiet tone="ok" glyph="check">
        None
      </ToneChip>
    );
  return drift.map((kind) => (
    <ToneChip
      key={kind}
      quiet
      tone={kind === 'foreign' ? 'neutral' : 'attention'}
      glyph={kind === 'foreign' ? 'dot' : 'warning'}
      title={WORDS[kind].title}
    >
      {WORDS[kind].word}
    </ToneChip>
  ));
}
