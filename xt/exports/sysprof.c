/* SPDX-License-Identifier: MIT */
/* sysprof.c - reads a capture with Sysprof's library: sysprof FILE prints the number of frames of each type, the length
 * of the run, and whether there is a call graph. */
#include <stdio.h>
#include <sysprof.h>

static void finish(GObject *profile, GAsyncResult *result, gpointer loop) {
    GError *error = NULL;
    if (!sysprof_profile_generate_finish(SYSPROF_PROFILE(profile), result, &error)) printf("%s\n", error->message);
    g_main_loop_quit(loop);
}

/* Names, marks and processes are read, and other frames skipped: 0 where the library refuses one. */
static int pass(SysprofCaptureReader *reader, int type) {
    switch (type) {
    case SYSPROF_CAPTURE_FRAME_JITMAP: return sysprof_capture_reader_read_jitmap(reader) != NULL;
    case SYSPROF_CAPTURE_FRAME_MARK: return sysprof_capture_reader_read_mark(reader) != NULL;
    case SYSPROF_CAPTURE_FRAME_PROCESS: return sysprof_capture_reader_read_process(reader) != NULL;
    case SYSPROF_CAPTURE_FRAME_SAMPLE: return sysprof_capture_reader_read_sample(reader) != NULL;
    default: return sysprof_capture_reader_skip(reader);
    }
}

int main(int argc, char **argv) {
    SysprofCaptureReader *reader = argc == 2 ? sysprof_capture_reader_new(argv[1]) : NULL;
    SysprofCaptureFrame frame;
    int n[256] = {0};
    if (!reader) return 1;
    while (sysprof_capture_reader_peek_frame(reader, &frame) && pass(reader, frame.type)) n[frame.type]++;
    for (int i = 0; i < 256; i++)
        if (n[i]) printf("type %d: %d\n", i, n[i]);
    sysprof_capture_reader_reset(reader);
    printf("length: %lld\n", (long long)(sysprof_capture_reader_get_end_time(reader) -
                                         sysprof_capture_reader_get_start_time(reader)));
    SysprofProfile *profile = sysprof_callgraph_profile_new();
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    sysprof_profile_set_reader(profile, reader);
    sysprof_profile_generate(profile, NULL, finish, loop);
    g_main_loop_run(loop);
    printf("callgraph: %s\n", sysprof_callgraph_profile_is_empty(SYSPROF_CALLGRAPH_PROFILE(profile)) ? "no" : "yes");
    return 0;
}
