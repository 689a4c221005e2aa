import styled from '@emotion/styled';
import { useState } from 'react';
import type { McpTool } from '../../../../generated/api/types.gen';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { color, focusRing, radius, space, type } from '../../../ui/theme';
import { Mono, Text } from './parts';
import { ToolForm } from './ToolForm';
import type { CallTool } from './types';

const Card = styled('details')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  padding: `${space(2.5)} ${space(4)}`,
  minWidth: 0,
  '& > summary': { ...type.body, cursor: 'pointer', borderRadius: radius.small, overflowWrap: 'anywhere' },
  '& > summary:focus-visible': focusRing,
});
const Name = styled('strong')({ fontWeight: 550, marginRight: space(1) });
const Body = styled('div')({ display: 'grid', gap: space(4), paddingTop: space(3), minWidth: 0 });

/** A tool, which can be called when expanded. */
export function ToolCard({ tool, cvm, call }: { tool: McpTool; cvm: string; call: CallTool }) {
  const { name, title, description, read_only, destructive } = tool;
  // Of possibly hundreds of tools, only opened ones render a form. Closing one keeps its input.
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <li>
      <Card onToggle={() => setWasOpened(true)}>
        <summary>
          <Name>{title ?? name}</Name> {title !== null && title !== name && <Mono>{name} </Mono>}
          {destructive && (
            <ToneChip quiet tone="attention" glyph="warning">
              Can delete or overwrite
            </ToneChip>
          )}
          {read_only && !destructive && (
            <ToneChip quiet tone="neutral" glyph="check">
              Read-only
            </ToneChip>
          )}
        </summary>
        <Body>
          {description !== null && <Text style={{ whiteSpace: 'pre-line' }}>{description}</Text>}
          {wasOpened && <ToolForm tool={tool} cvm={cvm} call={call} />}
        </Body>
      </Card>
    </li>
  );
}
