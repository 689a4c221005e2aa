import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { PageHeader } from '../../../console/ui/layout/PageHeader';
import { useCrumbs } from '../../frame/slots';
import { problemOf } from '../../http';
import { words } from '../../schema/labels';
import { usePermissionRefusal, useSession } from '../../session';
import { useChat } from './api';
import { Chats } from './Chats';
import { Token } from './Token';

/** Chat bot settings: its token, linked chats and their alerts. */
export function ChatIntegration() {
  const { environment } = useSession();
  const service = words(environment.chat_bot_service);
  const { data, error, refetch } = useChat();
  useCrumbs([{ label: `${service} integration` }]);
  const refused = usePermissionRefusal()('admin.chat.write');
  return (
    <>
      <PageHeader
        title={`${service} integration`}
        subtitle="A bot that sends alerts to platform staff and responds to /status, /cvms and /ack."
        {...(data ? { status: <StatusChip status={data.state} /> } : {})}
      />
      {error && !data ? (
        <ErrorNotice problem={problemOf(error, 'Couldn’t load the chat bot', () => void refetch())} />
      ) : !data ? (
        <PageSkeleton part label="Loading the chat bot" rows={3} />
      ) : (
        <>
          <Token chat={data} service={service} refused={refused} />
          <Chats chat={data} refused={refused} />
        </>
      )}
    </>
  );
}
