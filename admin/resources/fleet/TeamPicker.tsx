import styled from '@emotion/styled';
import { Field } from '../../../console/ui/forms/Field';
import { useAutocomplete } from '../../../console/ui/mui/useAutocomplete';
import { color, space, type } from '../../../console/ui/theme';
import type { AdminRecord } from '../../record';
import { Box } from '../../schema/pickerStyles';
import { pickerOptions, RecordPicker, useRecordSearch } from '../../schema/RecordPicker';
import { getResource } from '../../schema/resources';

const Wide = styled('div')({ flex: '1 1 240px', maxWidth: 420 });
const Slug = styled('span')({ ...type.small, color: color.muted, marginLeft: space(2) });

interface Props {
  team: AdminRecord | null;
  onChange: (team: AdminRecord | null) => void;
  error: string | undefined;
  disabled: boolean;
}

/** Chooses a team by its name or slug, with server-side search. */
export function TeamPicker({ team, onChange, error, disabled }: Props) {
  const resource = getResource('workspaces');
  const { setTyped, q, data } = useRecordSearch(resource);
  const auto = useAutocomplete<AdminRecord>({
    ...pickerOptions(resource),
    id: 'teepod-team',
    options: data,
    value: team,
    disabled,
    onChange: (_event, chosen) => onChange(chosen),
    onInputChange: (_event, text, reason) => setTyped(reason === 'input' ? text : ''),
  });
  return (
    <Wide>
      <Field label="Team" error={error} id={auto.getInputProps().id}>
        {(control) => (
          <Box {...auto.getRootProps()}>
            <RecordPicker
              auto={auto}
              resource={resource}
              control={control}
              attach={() => undefined}
              none={q === '' ? `No ${resource.plural} yet` : 'No matches'}
              detail={({ slug }) => <Slug>{String(slug)}</Slug>}
            />
          </Box>
        )}
      </Field>
    </Wide>
  );
}
