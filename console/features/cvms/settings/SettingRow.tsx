import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { below, color, radius, space, type } from '../../../ui/theme';

/** A panel of related settings. */
export const SettingRows = styled('div')({ border: `1px solid ${color.line}`, borderRadius: radius.panel });

const Row = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: space(4),
  padding: space(4),
  '&:not(:last-of-type)': { borderBottom: `1px solid ${color.line}` },
  '& > div': { flex: 1, minWidth: 0 },
  [below.phone]: { flexDirection: 'column', alignItems: 'stretch' },
});
const Name = styled('p')({ ...type.body, fontWeight: 550 });
const Text = styled('div')({ ...type.small, color: color.muted, maxWidth: '64ch', overflowWrap: 'anywhere' });
const Value = styled('div')({ ...type.body, overflowWrap: 'anywhere', marginTop: space(0.5) });

interface Props {
  name: string;
  /** The current value. */
  value?: ReactNode;
  /** A description in one or two sentences. */
  children: ReactNode;
  /** The available action. */
  action: ReactNode;
}

export function SettingRow({ name, value, children, action }: Props) {
  return (
    <Row>
      <div>
        <Name>{name}</Name>
        {value !== undefined && <Value>{value}</Value>}
        <Text>{children}</Text>
      </div>
      {action}
    </Row>
  );
}
