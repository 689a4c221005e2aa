import styled from '@emotion/styled';
import { useEffect, useRef } from 'react';
import { color, radius, shadow, space, truncated, type } from '../theme';
import type { Option } from './queryDraft';

const List = styled('div')({
  position: 'absolute',
  zIndex: 20,
  top: '100%',
  left: 0,
  width: 'min(100%, 480px)',
  marginTop: space(1),
  maxHeight: 'min(320px, 50vh)',
  overflowY: 'auto',
  padding: space(1),
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  backgroundColor: color.surface,
  boxShadow: shadow.raised,
});
const Item = styled('div')({
  ...type.body,
  display: 'flex',
  alignItems: 'baseline',
  gap: space(3),
  minHeight: 32,
  padding: `${space(1.5)} ${space(2)}`,
  borderRadius: radius.control,
  color: color.text,
  cursor: 'pointer',
  '&[aria-selected="true"]': { backgroundColor: color.selected },
  '@media (pointer: coarse)': { minHeight: 44, alignItems: 'center' },
});
const Name = styled('span')({ ...type.mono, overflowWrap: 'anywhere' });
const Detail = styled('span')({
  ...type.small,
  minWidth: 0,
  ...truncated,
  color: color.muted,
});

interface Props {
  /** ID of the box it belongs to. */
  id: string;
  label: string;
  options: readonly Option[];
  current: number;
  onPoint: (index: number) => void;
  onChoose: (option: Option) => void;
}

export function QueryOptions({ id, label, options, current, onPoint, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (current >= 0) list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <List
      ref={list}
      id={`${id}-options`}
      role="listbox"
      aria-label={`Suggestions for ${label}`}
      hidden={options.length === 0}
      // Keeps the focus in the box, which would otherwise close before the click arrives.
      onPointerDown={(event) => event.preventDefault()}
    >
      {options.map((option, i) => (
        <Item
          key={option.id}
          id={`${id}-option-${i}`}
          role="option"
          aria-selected={i === current}
          onPointerMove={() => onPoint(i)}
          onClick={() => onChoose(option)}
        >
          <Name>{option.label}</Name>
          {option.detail !== undefined && <Detail>{option.detail}</Detail>}
        </Item>
      ))}
    </List>
  );
}
