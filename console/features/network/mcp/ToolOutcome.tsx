import styled from '@emotion/styled';
import type { McpToolResult } from '../../../../generated/api/types.gen';
import { failureText, resultBlocks } from '../../../lib/mcp/toolResult';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { space } from '../../../ui/theme';
import { Text } from './parts';

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });

/** A call's result, or the error reported by the tool. */
export function ToolOutcome({ tool, result }: { tool: string; result: McpToolResult }) {
  if (result.failed)
    return <ErrorNotice problem={{ title: `${tool} reported an error`, message: failureText(result) }} />;
  return (
    <Stack role="group" aria-label={`Result of ${tool}`}>
      <Text role="status">
        {tool} returned in {result.ms} ms.
      </Text>
      {resultBlocks(result).map(({ title, code, hidden }, index) => (
        <div key={`${index} ${title}`}>
          <CodeBlock title={title} code={code} maxHeight={320} />
          {hidden > 0 && <Text>{hidden} more characters aren’t shown.</Text>}
        </div>
      ))}
    </Stack>
  );
}
