/* Stands in for the program and for Microsoft's installer of WebView2 when the installer is tried under Wine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static void append(const char *path, const char *text) {
    FILE *file = fopen(path, "a");
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

int main(int count, char **words) {
#ifdef WEBVIEW2
    const char *end = getenv("STUB_WEBVIEW2");
    append("C:\\told\\webview2", strchr(GetCommandLineA() + 1, '/'));
    append("C:\\told\\webview2", "\n");
    if (end && !strcmp(end, "hang")) Sleep(INFINITE);
    if (end && !strcmp(end, "late")) {
        HKEY key;
        RegCreateKeyA(HKEY_CURRENT_USER, "Software\\Microsoft\\EdgeUpdate\\Clients\\" WEBVIEW2, &key);
        RegSetValueExA(key, "pv", 0, REG_SZ, (const BYTE *)"1.2.3.4", 8);
        return 9;
    }
    return end ? atoi(end) : 0;
#else
    append("C:\\told\\program", VERSION "\n");
    /* With a word: runs until that file exists. */
    while (count > 1 && GetFileAttributesA(words[1]) == INVALID_FILE_ATTRIBUTES) Sleep(50);
    return 0;
#endif
}
