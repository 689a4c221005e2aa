import { getNotificationSettings } from './getNotificationSettings';
import { listNotifications } from './listNotifications';
import { markNotificationsRead } from './markNotificationsRead';
import { openUnsubscribe } from './openUnsubscribe';
import { unsubscribe } from './unsubscribe';
import { updateNotificationPreferences } from './updateNotificationPreferences';
import { updateNotificationSettings } from './updateNotificationSettings';

export const notificationsHandlers = {
  getNotificationSettings,
  listNotifications,
  markNotificationsRead,
  openUnsubscribe,
  unsubscribe,
  updateNotificationPreferences,
  updateNotificationSettings,
};
