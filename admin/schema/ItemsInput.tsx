import styled from '@emotion/styled';
import PlusIcon from 'lucide-react/icons/plus';
import XIcon from 'lucide-react/icons/x';
import type { ComponentType } from 'react';
import { Button } from '../../console/ui/controls/Button';
import { IconAction } from '../../console/ui/controls/IconAction';
import { controlStyle, FieldGroup } from '../../console/ui/forms/Field';
import { ownValue } from '../../console/lib/ownValue';
import { color, radius, space, type } from '../../console/ui/theme';
import type { ControlProps } from './Input';
import { inSentence } from './labels';
import type { FieldDescription } from './types';

const Items = styled('ul')({ display: 'grid', gap: space(2), '&:empty': { display: 'none' } });
const Item = styled('li')({ display: 'flex', alignItems: 'center', gap: space(2), minWidth: 0 });
const Row = styled('li')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'start',
  gap: space(2),
  padding: space(3),
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
});
const Cells = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 160px), 1fr))',
  gap: space(3),
  minWidth: 0,
});
const Text = styled('input')(controlStyle);

export interface CellProps {
  field: FieldDescription;
  value: unknown;
  onChange: (value: unknown) => void;
  onBlur: () => void;
}

/** Edits a list, one input per value, or one group of inputs per row. */
export function ItemsInput({
  field,
  raw,
  bound,
  attach,
  error,
  cell: Cell,
}: ControlProps & { cell: ComponentType<CellProps> }) {
  const items: unknown[] = Array.isArray(raw) ? raw : [];
  const { columns } = field;
  const one = inSentence(field.label);
  const replace = (index: number, item: unknown) => bound.onChange(items.with(index, item));
  const remove = (index: number) => (
    <IconAction
      size="small"
      label={`Remove ${one} ${index + 1}`}
      onClick={() => bound.onChange(items.toSpliced(index, 1))}
    >
      <XIcon />
    </IconAction>
  );
  return (
    <FieldGroup {...{ label: field.label, help: field.help, error, optional: !field.required, attach }}>
      <Items>
        {items.map((item, index) =>
          columns === undefined ? (
            <Item key={index}>
              <Text
                aria-label={`${field.label} ${index + 1}`}
                value={String(item ?? '')}
                style={field.mono ? type.mono : undefined}
                autoComplete="off"
                onChange={({ target }) => replace(index, target.value)}
                onBlur={bound.onBlur}
              />
              {remove(index)}
            </Item>
          ) : (
            <Row key={index}>
              <Cells>
                {columns.map((column) => (
                  <Cell
                    key={column.name}
                    field={{ ...column, name: `${field.name}.${index}.${column.name}` }}
                    value={ownValue(item as Record<string, unknown>, column.name)}
                    onChange={(value) => replace(index, { ...(item as object), [column.name]: value })}
                    onBlur={bound.onBlur}
                  />
                ))}
              </Cells>
              {remove(index)}
            </Row>
          ),
        )}
      </Items>
      <div>
        <Button
          size="small"
          startIcon={<PlusIcon />}
          aria-label={`Add to ${one}`}
          onClick={() => bound.onChange([...items, columns === undefined ? '' : {}])}
        >
          Add
        </Button>
      </div>
    </FieldGroup>
  );
}
