import { ofElement } from './dom.ts';

/** Whether a person can see the element: rendered, not hidden by style, and with an area. Opacity and position do not count. */
export function isVisible(element: Element): boolean {
  if (!ofElement(element, 'checkVisibility')({ visibilityProperty: true })) return false;
  const { width, height } = ofElement(element, 'getBoundingClientRect')();
  return width > 0 && height > 0;
}
