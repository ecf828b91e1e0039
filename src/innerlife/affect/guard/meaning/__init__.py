"""What words do, one file a language, and the weights fitted over them. A new file here is read without being named."""
