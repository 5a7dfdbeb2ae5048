package packtool.client;

/** Times of the form {@code 2026-11-21T08:00:00Z}, as seconds since 1970. */
final class Timestamp {
    private static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    static final long DAY = 86_400;

    private Timestamp() {}

    /** The seconds of a time; {@code null} if the text has another form. */
    static Long parse(String text) {
        if (text.length() != 20) {
            return null;
        }
        String form = "dddd-dd-ddTdd:dd:ddZ";
        for (int index = 0; index < 20; index++) {
            char one = text.charAt(index);
            char wanted = form.charAt(index);
            if (wanted == 'd' ? one < '0' || one > '9' : one != wanted) {
                return null;
            }
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23
            || minute > 59 || second > 59) {
            return null;
        }
        return daysBefore(year, month, day) * DAY + hour * 3600L + minute * 60L + second;
    }

    private static int number(String text, int start, int end) {
        return Integer.parseInt(text.substring(start, end));
    }

    private static int daysIn(int year, int month) {
        boolean isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        return month == 2 && isLeap ? 29 : DAYS[month - 1];
    }

    /** The days from 1970 to a day: years begin in March, so that the leap day is the last one. */
    private static long daysBefore(int year, int month, int day) {
        long shifted = month <= 2 ? year - 1L : year;
        long era = Math.floorDiv(shifted, 400L);
        long yearOfEra = shifted - era * 400;
        long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
        long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
        return era * 146_097 + dayOfEra - 719_468;
    }

    /** The text of a time within the years 0000 to 9999. */
    static String text(long seconds) {
        long days = Math.floorDiv(seconds, DAY);
        long rest = Math.floorMod(seconds, DAY);
        long shifted = days + 719_468;
        long era = Math.floorDiv(shifted, 146_097L);
        long dayOfEra = shifted - era * 146_097;
        long yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        long part = (5 * dayOfYear + 2) / 153;
        long day = dayOfYear - (153 * part + 2) / 5 + 1;
        long month = part < 10 ? part + 3 : part - 9;
        long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
        return digits(year, 4) + '-' + digits(month, 2) + '-' + digits(day, 2) + 'T'
            + digits(rest / 3600, 2) + ':' + digits(rest / 60 % 60, 2) + ':'
            + digits(rest % 60, 2) + 'Z';
    }

    private static String digits(long value, int length) {
        StringBuilder text = new StringBuilder(Long.toString(value));
        while (text.length() < length) {
            text.insert(0, '0');
        }
        return text.toString();
    }
}
