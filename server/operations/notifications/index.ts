import { dismissAnnouncement } from './dismissAnnouncement';
import { getNotificationSettings } from './getNotificationSettings';
import { listAnnouncements } from './listAnnouncements';
import { listNotifications } from './listNotifications';
import { markNotificationsRead } from './markNotificationsRead';
import { openUnsubscribe } from './openUnsubscribe';
import { unsubscribe } from './unsubscribe';
import { updateNotificationPreferences } from './updateNotificationPreferences';
import { updateNotificationSettings } from './updateNotificationSettings';

export const notificationsHandlers = {
  dismissAnnouncement,
  getNotificationSettings,
  listAnnouncements,
  listNotifications,
  markNotificationsRead,
  openUnsubscribe,
  unsubscribe,
  updateNotificationPreferences,
  updateNotificationSettings,
};
