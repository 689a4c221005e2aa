import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useState } from 'react';
import type { AdminView } from '../../generated/api/types.gen';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { useToast } from '../../console/ui/feedback/toasts';
import { FormDialog } from '../../console/ui/forms/FormDialog';
import { SwitchInput } from '../../console/ui/forms/SwitchInput';
import { TextInput } from '../../console/ui/forms/TextInput';
import { space } from '../../console/ui/theme';
import { problemOf } from '../http';
import type { useViewWrites } from '../views';

const Fields = styled('form')({ display: 'grid', gap: space(5) });
const Row = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

interface Props {
  /** The one to rename; without it the list as it stands is saved. */
  view: AdminView | undefined;
  own: readonly AdminView[];
  query: string;
  writes: ReturnType<typeof useViewWrites>;
  onClose: () => void;
}

/** Name and audience of a view. A name one has already given is given to the list as it stands now. */
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
    wanted === '' ? 'Enter a name.' : wanted.length > 80 ? 'It has at most 80 characters.' : undefined;
  const save = async () => {
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
  };
  return (
    <FormDialog
      open
      title={view ? `Rename or share ${view.name}` : 'Save this list as a view'}
      {...(view ? {} : { intro: 'Filters, search and order are kept under a name.' })}
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
          {...(replaced ? { help: 'Replaces your view of this name.' } : {})}
          autoComplete="off"
          autoFocus
        />
        <SwitchInput
          label="Shared"
          help="Everybody who may open this list sees it."
          checked={shared}
          onChange={(event) => setShared(event.target.checked)}
        />
        {failure !== undefined && <ErrorNotice problem={problemOf(failure, 'The view was not saved')} />}
        <Row>
          <Button type="submit" variant="contained" color="primary" disabled={saving}>
            {replaced ? 'Replace' : 'Save'}
          </Button>
          <Button variant="text" disabled={saving} onClick={onClose}>
            Cancel
          </Button>
        </Row>
      </Fields>
    </FormDialog>
  );
}
