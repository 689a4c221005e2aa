import { useState, type ReactNode } from 'react';
import type { CvmDetail } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { useCvm, useCvmAddress } from '../address';
import { SettingRow } from './SettingRow';
import { ifUnchanged, useSetting, type SettingRequest } from './useSetting';

interface Props {
  name: string;
  field: 'listed' | 'movable' | 'protected';
  /** The row's names for its two states. */
  states: { on: string; off: string };
  /** Tone of the state that is on. */
  tone?: 'ok' | 'neutral';
  /** Labels of the buttons that turn it on and off. */
  verbs: { on: string; off: string };
  send: (options: SettingRequest, on: boolean) => Promise<unknown>;
  /** Error title if the change fails. */
  failed: (on: boolean) => string;
  /** Title of the confirmation. */
  title: (cvm: CvmDetail, on: boolean) => string;
  effects: (cvm: CvmDetail, on: boolean) => string[];
  /** The consequences of turning it on or off. */
  lead?: (on: boolean) => string | null;
  danger?: (on: boolean) => boolean;
  children: ReactNode;
}

/** A setting that is on or off, with a confirmation. */
export function ToggleRow(props: Props) {
  const { name, field, states, tone = 'neutral', verbs, send, failed, title, effects, lead, danger } = props;
  const { teamSlug } = useCvmAddress();
  const cvm = useCvm();
  const may = useMay('cvms.write', teamSlug);
  /** The CVM as of when the dialog opened, unaffected by concurrent changes. */
  const [asked, setAsked] = useState<CvmDetail | null>(null);
  const shown = asked ?? cvm;
  const on = !shown[field];
  const { save, pending, problem, reset } = useSetting<boolean>({
    guard: ifUnchanged(shown, field),
    send,
    failed: failed(on),
    onDone: () => setAsked(null),
  });
  const isOn = cvm[field];
  return (
    <>
      <SettingRow
        name={name}
        value={
          <ToneChip tone={isOn ? tone : 'neutral'} glyph={isOn ? 'check' : 'dot'}>
            {isOn ? states.on : states.off}
          </ToneChip>
        }
        action={
          <ActionButton reason={may.reason} onClick={() => setAsked(cvm)}>
            {isOn ? verbs.off : verbs.on}…
          </ActionButton>
        }
      >
        {props.children}
      </SettingRow>
      <ConfirmDialog
        open={asked !== null}
        danger={danger?.(on) ?? false}
        title={title(shown, on)}
        confirmLabel={on ? verbs.on : verbs.off}
        effects={effects(shown, on)}
        pending={pending}
        problem={problem}
        onConfirm={() => save(on)}
        onClose={() => {
          reset();
          setAsked(null);
        }}
      >
        {lead?.(on) ?? undefined}
      </ConfirmDialog>
    </>
  );
}
