import { Suspense, useState } from 'react';
import { mentionsMcp } from '../../lib/mcp/mentionsMcp';
import { Button } from '../../ui/controls/Button';
import { CardSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { lazyWithRetry } from '../../ui/lazyWithRetry';
import type { McpPanelProps } from './mcp/types';

const McpPanel = lazyWithRetry(() => import('./mcp/McpPanel').then((m) => ({ default: m.McpPanel })));

type Props = Omit<McpPanelProps, 'autoFocus'>;

/** The MCP server of an app whose Compose file mentions one. For other apps, a button opens the section. */
export function McpSection(panel: Props) {
  const [isOpened, setIsOpened] = useState(false);
  if (!isOpened && !mentionsMcp(panel.compose))
    return (
      <div>
        <Button size="small" variant="text" onClick={() => setIsOpened(true)}>
          Connect to an MCP server…
        </Button>
      </div>
    );
  return (
    <Suspense
      fallback={
        <Panel title="MCP server">
          <CardSkeleton lines={4} />
        </Panel>
      }
    >
      <McpPanel {...panel} autoFocus={isOpened} />
    </Suspense>
  );
}
