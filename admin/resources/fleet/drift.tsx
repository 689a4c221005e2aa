import type { AdminHostedVm, AdminManagedCvm } from '../../../generated/api/types.gen';
import { ToneChip } from '../../../console/ui/feedback/StatusChip';

type Kind = AdminHostedVm['drift'][number] | AdminManagedCvm['drift'][number];

const WORDS: Readonly<Record<Kind, { word: string; title: string }>> = {
  left_behind: { word: 'Left behind', title: 'Its CVM is gone, on another host, or not of this server.' },
  foreign: { word: 'Foreign', title: 'This server did not make it, and leaves it alone.' },
  duplicate: { word: 'Second VM', title: 'Its CVM has another VM.' },
  missing: { word: 'Missing on host', title: 'The host has no VM of this CVM.' },
  status: { word: 'Other status', title: 'Host and database do not agree whether it runs.' },
  resources: { word: 'Other size', title: 'vCPU, memory, disk or OS image differ.' },
  compose: { word: 'Other compose', title: 'It is made of another compose file than the database says.' },
};

/** How database and host differ over one thing; nothing when they do not. */
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
