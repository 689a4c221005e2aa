import styled from '@emotion/styled';
import { argumentsBlock } from '../../../lib/mcp/toolResult';
import { CodeBlock } from '../../../ui/code/CodeBlock';
import { space } from '../../../ui/theme';
import { Text } from './parts';

const Stack = styled('div')({ display: 'grid', gap: space(3), minWidth: 0 });

interface Props {
  /** The server's destructive hint for the tool; null if it gives none. */
  hint: boolean | null;
  args: Readonly<Record<string, unknown>>;
}

/** A call's possible effects, as declared by the server, and its arguments. */
export function CallSummary({ hint, args }: Props) {
  const { title, code, hidden } = argumentsBlock(args);
  return (
    <Stack>
      <p>
        {hint === null
          ? 'The server doesn’t say whether this tool can delete or overwrite data. It isn’t marked as read-only.'
          : 'The server says that this tool can delete or overwrite data.'}
      </p>
      {Object.keys(args).length === 0 ? (
        <p>Called without arguments.</p>
      ) : (
        <div>
          <CodeBlock title={title} code={code} maxHeight={200} />
          {hidden > 0 && <Text>{hidden} more characters aren’t shown.</Text>}
        </div>
      )}
    </Stack>
  );
}
