import styled from '@emotion/styled';
import SearchIcon from 'lucide-react/icons/search';
import { color, size } from '../theme';
import { controlStyle } from './Field';

const Box = styled('div')({
  position: 'relative',
  display: 'inline-flex',
  alignItems: 'center',
  minWidth: 0,
  '& svg': { position: 'absolute', left: 8, fontSize: 16, color: color.muted, pointerEvents: 'none' },
});
const Input = styled('input')({
  ...controlStyle,
  height: size.controlSmall,
  width: 'min(240px, 42vw)',
  paddingLeft: 30,
});

interface Props {
  label: string;
  placeholder: string;
  maxLength: number;
  value: string;
  onChange: (value: string) => void;
}

/** The search box above a table. */
export function SearchInput({ label, onChange, ...input }: Props) {
  return (
    <Box>
      <SearchIcon aria-hidden />
      <Input
        type="search"
        aria-label={label}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
        {...input}
      />
    </Box>
  );
}
