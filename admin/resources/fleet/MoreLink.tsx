import styled from '@emotion/styled';
import { counted } from '../../../console/lib/texts/count';
import { TextLink } from '../../../console/ui/link';
import { color, type } from '../../../console/ui/theme';

const Line = styled('p')({ ...type.caption, color: color.muted });

interface Props {
  listed: number;
  /** Undefined from a server process older than these counts. */
  total: number | undefined;
  /** Singular and plural. */
  noun: readonly [one: string, many: string];
  /** Address of the full list. */
  href: string;
}

/** Shows how many the map leaves out, with a link to all of them. */
export function MoreLink({ listed, total, noun: [one, many], href }: Props) {
  const left = (total ?? 0) - listed;
  if (left <= 0) return null;
  return (
    <Line>
      <TextLink href={href}>{counted(left, [`more ${one}`, `more ${many}`])}</TextLink>
    </Line>
  );
}
