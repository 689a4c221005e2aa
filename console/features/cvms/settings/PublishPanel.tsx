import { useState } from 'react';
import { setCvmListed } from '../../../../generated/api/sdk.gen';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import { appPagePath } from '../../../lib/public/site';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ToneChip } from '../../../ui/feedback/StatusChip';
import { Panel } from '../../../ui/layout/Panel';
import { ActionButton } from '../ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { SettingRow, SettingRows } from './SettingRow';
import { ifUnchanged, useSetting } from './useSetting';

/** What the explorer shows of a published CVM, exactly. */
const PUBLISHED = [
  'The app’s name and ID, and the team’s name.',
  'The Compose file and its hash, with each image.',
  'The CVM’s name, state, OS image and evidence, and the slug of its key service.',
  'The compose hash, OS image and time of every version of the app.',
];

/** Shows or hides the CVM's app in the public explorer. */
export function PublishPanel() {
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  /** The value when the dialog opened, whatever others change meanwhile. */
  const [asked, setAsked] = useState<CvmDetail | null>(null);
  const shown = asked ?? cvm;
  const { save, pending, problem, reset } = useSetting<boolean>({
    guard: ifUnchanged(shown, 'listed'),
    send: (options, listed) => setCvmListed({ ...options, body: { listed } }),
    failed: shown.listed ? 'Couldn’t unpublish' : 'Couldn’t publish',
    onDone: () => setAsked(null),
  });
  return (
    <Panel title="Explorer">
      <SettingRows>
        <SettingRow
          name="Public page"
          value={
            <ToneChip tone={cvm.listed ? 'ok' : 'neutral'} glyph={cvm.listed ? 'check' : 'dot'}>
              {cvm.listed ? 'published' : 'private'}
            </ToneChip>
          }
          action={
            <ActionButton reason={may.reason} onClick={() => setAsked(cvm)}>
              {cvm.listed ? 'Unpublish…' : 'Publish…'}
            </ActionButton>
          }
        >
          {cvm.listed && cvm.app_id !== null ? (
            <>
              Anyone can verify this CVM at <a href={appPagePath(cvm.app_id)}>its public page</a>.
            </>
          ) : (
            'Lets your users see what runs and verify it in their own browser, without an account.'
          )}
        </SettingRow>
      </SettingRows>
      <ConfirmDialog
        open={asked !== null}
        title={shown.listed ? `Unpublish ${cvm.name}?` : `Publish ${cvm.name}?`}
        confirmLabel={shown.listed ? 'Unpublish' : 'Publish'}
        effects={
          shown.listed
            ? [
                'The explorer no longer shows this CVM. Links to its page stop working if no other CVM of the app is published.',
              ]
            : PUBLISHED
        }
        pending={pending}
        problem={problem}
        onConfirm={() => save(!shown.listed)}
        onClose={() => {
          reset();
          setAsked(null);
        }}
      />
    </Panel>
  );
}
