/** The ending of a file that holds a set of addresses. */
export const SET_ENDING = '.places';
