import { styled } from '@mui/material/styles';
import { CodeBlock } from '../../../console/ui/code/CodeBlock';
import { Panel } from '../../../console/ui/layout/Panel';
import { color, space, type } from '../../../console/ui/theme';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { findResource } from '../../schema/resources';
import { ShortList } from '../ShortList';

const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch', marginBottom: space(3) });

/** Everything that is known of the request an entry came from: its other entries, what it led to, the server's own words. */
export function SameRequest({ record }: { record: AdminRecord }) {
  const { request_id } = record;
  if (typeof request_id !== 'string')
    return (
      <Panel title="The request">
        <Text>No request led to this: the server or its command line did it by itself.</Text>
      </Panel>
    );
  const lists = [
    { name: 'audit', title: 'Entries of the same request' },
    { name: 'instance-events', title: 'Events it led to' },
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
      <Panel title="In the server’s log">
        <Text>
          The server writes one line of JSON per event to its standard output. Every line about this request
          names it, also those of work that a worker did for it later; the reply said it as{' '}
          <code>X-Request-Id</code>, and an error page shows it.
        </Text>
        <CodeBlock label="what finds its lines" code={`grep '"request_id":"${request_id}"'`} />
      </Panel>
    </>
  );
}
