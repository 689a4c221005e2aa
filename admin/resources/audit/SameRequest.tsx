import styled from '@emotion/styled';
import { CodeBlock } from '../../../console/ui/code/CodeBlock';
import { Panel } from '../../../console/ui/layout/Panel';
import { color, space, type } from '../../../console/ui/theme';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { findResource } from '../../schema/resources';
import { ShortList } from '../ShortList';

const Text = styled('p')({
  ...type.body,
  color: color.muted,
  maxWidth: '72ch',
  marginBottom: space(3),
});

/** Everything caused by an entry's request: other entries, events and server log lines. */
export function SameRequest({ record }: { record: AdminRecord }) {
  const { request_id } = record;
  if (typeof request_id !== 'string')
    return (
      <Panel title="Request">
        <Text>Not caused by a request, but by the server itself or its command line.</Text>
      </Panel>
    );
  const lists = [
    { name: 'audit', title: 'Entries from this request' },
    { name: 'instance-events', title: 'Events from this request' },
  ];
  return (
    <>
      {lists.map(({ name, title }) => {
        const resource = findResource(name);
        return (
          resource && (
            <ShortList
              key={name}
              resource={resource}
              filter={{ request_id }}
              href={adminHref.list(name, { request_id })}
              title={title}
              empty="None."
            />
          )
        );
      })}
      <Panel title="Server log">
        <Text>
          The server logs one line of JSON per event to standard output. Every line about this request
          includes its ID, as do lines from background work it started. The ID is also in the response’s{' '}
          <code>X-Request-Id</code> header and on error pages.
        </Text>
        <CodeBlock label="search command" code={`grep '"request_id":"${request_id}"'`} />
      </Panel>
    </>
  );
}
