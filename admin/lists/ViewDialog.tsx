import { PendingButton } from '../../console/ui/controls/PendingButton';
import styled from '@emotion/styled';
import { useState } from 'react';
import type { AdminView } from '../../generated/api/types.gen';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { useToast } from '../../console/ui/feedback/toasts';
import { DialogActions } from '../../console/ui/forms/DialogActions';
import { FormDialog } from '../../console/ui/forms/FormDialog';
import { SwitchInput } from '../../console/ui/forms/SwitchInput';
import { TextInput } from '../../console/ui/forms/TextInput';
import { space } from '../../console/ui/theme';
import { useSingleFlight } from '../../console/ui/useSingleFlight';
import { problemOf } from '../http';
import type { useViewWrites } from './views';

const Fields = styled('form')({ display: 'grid', gap: space(5) });

interface Props {
  /** The view to edit; without it, the current list is saved. */
  view: AdminView | undefined;
  own: readonly AdminView[];
  query: string;
  writes: ReturnType<typeof useViewWrites>;
  onClose: () => void;
}

/** Name and audience of a view. Reusing the name of the user's own view replaces it. */
export function ViewDialog({ view, own, query, writes, onClose }: Props) {
  const [name, setName] = useState(view?.name ?? '');
  const [shared, setShared] = useState(view?.shared ?? false);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [tried, setTried] = useState(false);
  const toast = useToast();
  const wanted = name.trim();
  const replaced = view === undefined ? own.find((one) => one.name === wanted) : undefined;
  const fault =
    wanted === '' ? 'Enter a name.' : wanted.length > 80 ? 'Use at most 80 characters.' : undefined;
  const save = useSingleFlight(async () => {
    setTried(true);
    if (fault !== undefined || saving) return;
    setSaving(true);
    setFailure(undefined);
    try {
      if (view) await writes.change(view.id, { name: wanted, shared });
      else if (replaced) await writes.change(replaced.id, { query, shared });
      else await writes.create({ name: wanted, query, shared });
      toast({ tone: 'ok', title: `Saved ${wanted}` });
      onClose();
    } catch (error) {
      setFailure(error);
      setSaving(false);
    }
  });
  return (
    <FormDialog
      open
      title={view ? `Edit ${view.name}` : 'Save view'}
      {...(view ? {} : { intro: 'Saves filters, search, order, columns and density.' })}
      onClose={saving ? undefined : onClose}
    >
      <Fields
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextInput
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={tried ? fault : undefined}
          {...(replaced ? { help: 'Replaces your existing view with this name.' } : {})}
          autoComplete="off"
          autoFocus
        />
        <SwitchInput
          label="Shared"
          help="Visible to everyone who can open this list."
          checked={shared}
          onChange={(event) => setShared(event.target.checked)}
        />
        {failure !== undefined && <ErrorNotice problem={problemOf(failure, 'Couldn’t save the view')} />}
        <DialogActions onCancel={onClose} pending={saving}>
          <PendingButton type="submit" variant="contained" pending={saving} isRefused={failure !== undefined}>
            {replaced ? 'Replace' : 'Save'}
          </PendingButton>
        </DialogActions>
      </Fields>
    </FormDialog>
  );
}
